#version 330 core
// Attribute locations are filled in by pyrender.
layout(location = 0) in vec3 position;
#ifdef TEXCOORD_0_LOC
layout(location = TEXCOORD_0_LOC) in vec2 texcoord_0;
#endif
#ifdef TEXCOORD_1_LOC
layout(location = TEXCOORD_1_LOC) in vec2 texcoord_1;
#endif
#ifdef COLOR_0_LOC
layout(location = COLOR_0_LOC) in vec4 color_0;
#endif
layout(location = INST_M_LOC) in mat4 inst_m;

uniform mat4 M;
uniform mat4 V;
uniform mat4 P;

out vec3 view_position;
out vec2 texel;
out vec3 tint;
out float object_id;
out float material_id;

void main()
{
    vec4 seen = V * (M * (inst_m * vec4(position, 1.0)));
    view_position = seen.xyz;
    gl_Position = P * seen;
    texel = texcoord_0;
    object_id = texcoord_1.x;
    material_id = texcoord_1.y;
    tint = color_0.rgb;
}
