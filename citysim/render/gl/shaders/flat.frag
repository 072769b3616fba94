#version 330 core
// The light, air and tone formulas of citysim.render.atmosphere and of the raster renderer, per fragment.

struct Material {
    vec3 emissive_factor;
    vec4 base_color_factor;  // w: kind of glow (0 none, 1 own, 2 rooms) + 4 x columns + 1024 x rows of windows
    float metallic_factor;   // carries the alpha below which there are holes: 0 opaque
    float roughness_factor;  // carries 1 for unlit, 0.5 for double-sided, 0 otherwise
    sampler2D base_color_texture;
};

uniform Material material;
uniform mat4 V;

uniform vec3 air_sun_direction;
uniform vec3 air_sun_color;
uniform vec3 air_sky_light;
uniform vec3 air_ground_light;
uniform vec3 air_bounce;
uniform vec3 air_fog_color;
uniform vec3 air_unlit;
uniform float air_glow;
uniform float air_density;  // at the eye
uniform vec2 air_haze;      // height over which it thins to 1/e, factor for rays down to the ground
uniform float air_shoulder;

uniform int shadowed;
uniform usampler2D fine_map;
uniform usampler2D coarse_map;
uniform vec3 fine_place;
uniform vec3 coarse_place;
uniform mat3 fine_axes;
uniform mat3 coarse_axes;
uniform float fine_margin;
uniform float coarse_margin;

uniform vec3 eye;
uniform int night;
uniform sampler2D lamps;
uniform isampler2D lamp_cells;
uniform vec3 lamp_grid;
uniform ivec2 lamp_cell_counts;
uniform float lamp_light;
uniform float room_share;
uniform vec3 room_color;
uniform float sign_gain;

uniform int normal_axis;

in vec3 view_position;
in vec2 texel;
in vec3 tint;
in float object_id;
in float material_id;

out vec4 frag_color;

vec3 linear_light(vec3 c)
{
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
}

vec3 display(vec3 c)
{
    c = max(c, vec3(0.0));
    vec3 shoulder = air_shoulder + (1.0 - air_shoulder) * (1.0 - exp(-(c - air_shoulder) / (1.0 - air_shoulder)));
    c = mix(c, shoulder, step(vec3(air_shoulder), c));
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(vec3(0.0031308), c));
}

// Mip level: the longer axis of a pixel's footprint, moved towards the shorter (raster: mip_level).
float level_of(vec2 size)
{
    vec2 across = dFdx(texel) * size, down = dFdy(texel) * size;
    float longest = max(max(dot(across, across), dot(down, down)), 1e-12);
    float area = max(abs(across.x * down.y - across.y * down.x), 1e-6);
    float stretch = max(log2(longest) - log2(area), 0.0);
    return max(0.5 * log2(longest) - min(0.375 * stretch, 1.25), 0.0);
}

// The level where one texel covers about one pixel, on which holes are cut (raster: alpha_at).
float whole_level(vec2 size)
{
    vec2 across = dFdx(texel) * size, down = dFdy(texel) * size;
    return max(floor(0.5 * log2(max(abs(across.x * down.y - across.y * down.x), 1e-12)) + 0.25), 0.0);
}

// Share of the sun at a place of a map (texels, texels, steps): 2x2 comparisons, blended; below 0 beside the map.
float share_at(usampler2D map, vec3 place)
{
    float last = float(textureSize(map, 0).x) - 2.0;
    if (min(place.x, place.y) <= 1.0 || max(place.x, place.y) >= last)
        return -1.0;
    vec2 at = place.xy - 0.5;
    ivec2 corner = ivec2(at);
    vec2 part = at - vec2(corner);
    float limit = floor(clamp(place.z, -1.0, 70000.0));
    float a = step(float(texelFetch(map, corner, 0).r), limit);
    float b = step(float(texelFetch(map, corner + ivec2(1, 0), 0).r), limit);
    float c = step(float(texelFetch(map, corner + ivec2(0, 1), 0).r), limit);
    float d = step(float(texelFetch(map, corner + ivec2(1, 1), 0).r), limit);
    return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}

float sunlit(vec3 away, vec3 n)
{
    float share = share_at(fine_map, fine_place + fine_axes * (away + n * fine_margin));
    if (share < 0.0)
        share = share_at(coarse_map, coarse_place + coarse_axes * (away + n * coarse_margin));
    return share < 0.0 ? 1.0 : share;
}

// Share of the haze's colour in what a surface shows (raster: pack_line).
float veil(vec3 away)
{
    float depth = max(-view_position.z, 1e-4), down = view_position.y / depth, rise = away.z / depth;
    float fall = max(-rise, 0.0);
    float thick = length(view_position) * (1.0 + (air_haze.y - 1.0) * fall / (fall + 0.15));
    if (rise > 1e-3)
        thick = min(thick, air_haze.x * sqrt(1.0 + down * down) / rise);
    return 1.0 - exp(-thick * air_density);
}

// Light of the lamps around a place (raster: lamp_light).
vec3 lamps_at(vec3 place, vec3 n)
{
    vec3 sum = vec3(0.0);
    ivec2 cell = ivec2(floor((place.xy - lamp_grid.xy) * lamp_grid.z));
    if (min(cell.x, cell.y) < 0 || cell.x >= lamp_cell_counts.x || cell.y >= lamp_cell_counts.y)
        return sum;
    for (int k = 0; k < LAMPS_A_CELL; k++) {
        int number = texelFetch(lamp_cells, ivec2(cell.x * LAMPS_A_CELL + k, cell.y), 0).r;
        if (number < 0)
            break;
        vec4 where = texelFetch(lamps, ivec2(0, number), 0);
        vec3 to = where.xyz - place;
        float square = dot(to, to);
        float near = 1.0 - square * where.w;
        if (near <= 0.0)
            continue;
        float away = sqrt(square) + 0.05;
        float facing = dot(to, n) / away;
        facing = facing > 0.0 ? 0.18 + 0.82 * facing : 0.18 + 0.18 * facing;
        float down = to.z / away;
        down = down > 0.0 ? 0.12 + 0.88 * down : 0.12 + 0.12 * down;
        sum += texelFetch(lamps, ivec2(1, number), 0).rgb * (near * near * facing * down / (1.0 + square / 9.0));
    }
    return sum * lamp_light;
}

uint mixed(uint a, uint b)
{
    uint h = a * 0x9E3779B1u + b * 0x85EBCA77u;
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}

// Light of the window at a texture coordinate, and how far it is lit (raster: room_light, vagueness).
vec4 room_at(vec2 windows, vec3 n, vec2 size)
{
    ivec2 facing = ivec2(floor(n.xy * 3.37 + 8.4));
    uint seed = mixed(uint(int(object_id + 0.5) + 1), uint(facing.x * 16 + facing.y));
    ivec2 cell = ivec2(floor(texel * windows));
    uint h = mixed(seed, uint(cell.x * 8191 + cell.y));
    vec2 across = dFdx(texel) * size, down = dFdy(texel) * size;
    float level = 0.5 * log2(max(abs(across.x * down.y - across.y * down.x), 1e-6));
    float vague = clamp((level - log2(size.x) + log2(windows.x)) / 2.0 + 1.0, 0.0, 1.0);
    float state = mix(float(h & 0xFFFFu) < room_share * 65536.0 ? 1.0 : 0.0, room_share, vague);
    uint kind = (h >> 16) & 255u;
    vec3 color = room_color * mix(0.45 + 0.55 * float(h >> 24) / 255.0, 0.72, vague);
    if (kind >= 154u)
        color *= vec3(1.0, 1.25, 1.9);
    if (kind >= 218u)
        color *= vec3(0.75, 0.96, 1.6);
    return vec4(color, state);
}

void main()
{
    // The face's plane, seen side up: no stored normals, and both sides of a card are lit.
    mat3 to_local = transpose(mat3(V));
    vec3 n = to_local * normalize(cross(dFdx(view_position), dFdy(view_position)));
    vec3 away = to_local * view_position;
    vec3 albedo = vec3(1.0);
#ifdef HAS_BASE_COLOR_TEX
    vec2 size = vec2(textureSize(material.base_color_texture, 0));
    vec4 picture = textureLod(material.base_color_texture, texel, level_of(size));
    if (material.metallic_factor > 0.0) {
        float whole = textureLod(material.base_color_texture, texel, whole_level(size)).a;
        if ((whole - material.metallic_factor) * 255.0 < 0.5)
            discard;
    }
    albedo = linear_light(picture.rgb);
#endif
#ifdef WANT_IDS
    int id = int(object_id + 0.5);
    frag_color = vec4(float(id & 255), float((id >> 8) & 255), float((id >> 16) & 255), 255.0) / 255.0;
#else
#ifdef WANT_GROUND
    int code = 2 * int(material_id + 0.5) + (n.z >= FLAT_ENOUGH ? 1 : 0) + 1;  // 0 stands for no surface
    frag_color = vec4(float(code & 255), float((code >> 8) & 255), float((code >> 16) & 255), 255.0) / 255.0;
#else
#ifdef WANT_NORMALS
    int steps = int(round((clamp(n[normal_axis], -1.0, 1.0) * 0.5 + 0.5) * 16777214.0)) + 1;  // 0 stands for no surface
    frag_color = vec4(float(steps & 255), float((steps >> 8) & 255), float((steps >> 16) & 255), 255.0) / 255.0;
#else
    vec3 steady, sun = vec3(0.0);
    if (material.roughness_factor > 0.75) {
        steady = air_unlit;
    } else {
        float facing = dot(n, air_sun_direction);
        float rise = n.z;
        if (material.metallic_factor > 0.0 && material.roughness_factor > 0.25) {  // leaves scatter
            facing = 0.3 + 0.4 * abs(facing);
            rise = 0.4 + 0.3 * rise;
        }
        float up = 0.5 + 0.5 * rise;
        float toward = 0.5 + 0.5 * dot(n.xy, air_sun_direction.xy);
        steady = air_sky_light * up + air_ground_light * (1.0 - up) + air_bounce * toward;
        sun = air_sun_color * max(facing, 0.0);
        if (shadowed != 0)
            sun *= sunlit(away, n);
    }
    int kind = int(material.base_color_factor.w + 0.5);
    vec3 light = steady + sun;
    if (night != 0)
        light += lamps_at(eye + away, n);
    light *= material.base_color_factor.rgb * tint;
    if ((kind & 3) == 0)
        light += material.emissive_factor * air_glow;
    vec3 color = albedo * light;
#ifdef HAS_BASE_COLOR_TEX
    if (night != 0 && (kind & 3) == 1)
        color += material.emissive_factor * sign_gain * picture.a * albedo;
    if (night != 0 && (kind & 3) == 2) {
        vec4 room = room_at(vec2((kind >> 2) & 255, kind >> 10), n, size);
        float steadily = clamp((picture.a - 0.66) * 7.0, 0.0, 1.0);
        color += room.rgb * picture.a * mix(room.a, 1.0, steadily) * (albedo + 0.4);
    }
#endif
    frag_color = vec4(display(mix(color, air_fog_color, veil(away))), 1.0);
#endif
#endif
#endif
}
