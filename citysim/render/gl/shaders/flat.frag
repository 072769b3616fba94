#version 330 core
// The light, air and tone formulas of citysim.render.atmosphere and of the raster renderer, per fragment.
// Names that begin with AIR_ are replaced by numbers before compilation.

struct Material {
    vec3 emissive_factor;
    vec4 base_color_factor;
    float metallic_factor;   // carries the alpha cutoff: 0 opaque
    float roughness_factor;  // carries 1 for unlit, 0.5 for double-sided, 0 otherwise
    sampler2D base_color_texture;
};

uniform Material material;
uniform mat4 V;

in vec3 view_position;
in vec2 texel;
in vec3 tint;
in float object_id;

out vec4 frag_color;

vec3 linear_light(vec3 c)
{
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

vec3 display(vec3 c)
{
    c = max(c, vec3(0.0));
    vec3 shoulder = AIR_SHOULDER + (1.0 - AIR_SHOULDER) * (1.0 - exp(-(c - AIR_SHOULDER) / (1.0 - AIR_SHOULDER)));
    c = mix(c, shoulder, step(vec3(AIR_SHOULDER), c));
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
}

void main()
{
    // The face's plane, seen side up: no stored normals, and both sides of a card are lit.
    vec3 n = transpose(mat3(V)) * normalize(cross(dFdx(view_position), dFdy(view_position)));
    vec3 albedo = vec3(1.0);
#ifdef HAS_BASE_COLOR_TEX
    vec4 picture = texture(material.base_color_texture, texel);
    if (material.metallic_factor > 0.0 && picture.a < material.metallic_factor)
        discard;
    albedo = linear_light(picture.rgb);
#endif
#ifdef WANT_IDS
    int id = int(object_id + 0.5);
    frag_color = vec4(float(id & 255), float((id >> 8) & 255), float((id >> 16) & 255), 255.0) / 255.0;
#else
    vec3 light;
    if (material.roughness_factor > 0.75) {
        light = AIR_UNLIT;
    } else {
        float facing = dot(n, AIR_SUN_DIRECTION);
        float rise = n.z;
        if (material.metallic_factor > 0.0 && material.roughness_factor > 0.25) {  // leaves scatter
            facing = 0.35 + 0.35 * abs(facing);
            rise = 0.5 + 0.3 * rise;
        }
        float up = 0.5 + 0.5 * rise;
        float toward = 0.5 + 0.5 * dot(n.xy, AIR_SUN_DIRECTION.xy);
        light = AIR_SKY_LIGHT * up + AIR_GROUND_LIGHT * (1.0 - up) + AIR_BOUNCE * toward
            + AIR_SUN_COLOR * max(facing, 0.0);
    }
    vec3 color = albedo * (light * material.base_color_factor.rgb * tint + material.emissive_factor * AIR_GLOW);
    float veil = 1.0 - exp(-length(view_position) * AIR_DENSITY);
    frag_color = vec4(display(mix(color, AIR_FOG_COLOR, veil)), 1.0);
#endif
}
