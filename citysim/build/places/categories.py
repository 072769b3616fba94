"""Categories of places: which kind of front they have and the word that says what they are."""

from dataclasses import dataclass

# group -> OSM values
GROUPS: dict[str, tuple[str, ...]] = {
    "cafe": ("cafe", "bakery", "confectionery", "pastry", "ice_cream", "tea", "coffee", "chocolate"),
    "food": ("restaurant", "fast_food", "food_court", "deli", "bistro"),
    "bar": ("bar", "pub", "nightclub", "biergarten", "casino", "stripclub"),
    "grocery": (
        "supermarket", "convenience", "kiosk", "greengrocer", "alcohol", "butcher", "seafood", "wine", "variety_store",
        "newsagent", "tobacco", "department_store", "mall", "marketplace",
    ),
    "health": (
        "pharmacy", "chemist", "optician", "cosmetics", "beauty", "hairdresser", "perfumery", "massage", "tattoo",
        "herbalist", "laundry",
    ),
    "tech": (
        "electronics", "computer", "camera", "mobile_phone", "video_games", "games", "hobby", "hardware", "copyshop",
        "photo", "bicycle", "sports", "doityourself", "hifi", "model", "karaoke_box", "amusement_arcade",
    ),
    "bank": (
        "bank", "bureau_de_change", "post_office", "police", "townhall", "courthouse", "insurance", "estate_agent",
    ),
    "hotel": ("hotel", "hostel", "guest_house", "apartment"),
    "culture": (
        "theatre", "cinema", "museum", "gallery", "library", "arts_centre", "books", "music", "art", "antiques",
        "church", "place_of_worship", "university", "school", "college", "community_centre",
        "events_venue", "musical_instrument", "comics", "stationery", "karaoke",
    ),
    "office": (
        "office", "company", "ngo", "lawyer", "embassy", "government", "association", "financial", "it", "architect",
        "consulting", "educational_institution", "employment_agency", "foundation", "diplomatic", "political_party",
        "research", "tax_advisor", "advertising_agency", "accountant", "notary", "union", "religion", "newspaper",
        "dentist", "doctors", "clinic", "hospital", "therapist", "driving_school", "social_facility", "studio", "guide",
        "coworking", "coworking_space", "telecommunication", "administrative", "property_management", "healthcare",
        "psychotherapist", "alternative", "physiotherapist", "language_school", "music_school", "conference_centre",
    ),
}  # fmt: skip
OPEN_AIR = (
    "bicycle_rental",
    "parking",
    "taxi",
    "charging_station",
    "bus_station",
    "ferry_terminal",
    "fountain",
    "toilets",
)

# category -> (Finnish, English)
WORDS: dict[str, tuple[str, str]] = {
    "cafe": ("Kahvila", "Café"),
    "bakery": ("Leipomo", "Bakery"),
    "ice_cream": ("Jäätelö", "Ice Cream"),
    "tea": ("Tee", "Tea"),
    "restaurant": ("Ravintola", "Restaurant"),
    "fast_food": ("Grilli", "Grill"),
    "food_court": ("Ravintolat", "Food Hall"),
    "bar": ("Baari", "Bar"),
    "pub": ("Pubi", "Pub"),
    "nightclub": ("Yökerho", "Club"),
    "casino": ("Kasino", "Casino"),
    "supermarket": ("Market", "Market"),
    "convenience": ("Lähikauppa", "Grocery"),
    "kiosk": ("Kioski", "Kiosk"),
    "alcohol": ("Juomat", "Wines"),
    "department_store": ("Tavaratalo", "Store"),
    "mall": ("Kauppakeskus", "Mall"),
    "pharmacy": ("Apteekki", "Pharmacy"),
    "chemist": ("Kemikalio", "Chemist"),
    "optician": ("Optikko", "Optician"),
    "cosmetics": ("Kosmetiikka", "Cosmetics"),
    "beauty": ("Kauneus", "Beauty"),
    "hairdresser": ("Parturi", "Hair"),
    "massage": ("Hieronta", "Massage"),
    "bank": ("Pankki", "Bank"),
    "bureau_de_change": ("Valuutta", "Exchange"),
    "post_office": ("Posti", "Post"),
    "police": ("Poliisi", "Police"),
    "estate_agent": ("Asunnot", "Homes"),
    "hotel": ("Hotelli", "Hotel"),
    "hostel": ("Hostelli", "Hostel"),
    "guest_house": ("Majoitus", "Rooms"),
    "theatre": ("Teatteri", "Theatre"),
    "cinema": ("Elokuvat", "Cinema"),
    "museum": ("Museo", "Museum"),
    "gallery": ("Galleria", "Gallery"),
    "library": ("Kirjasto", "Library"),
    "books": ("Kirjat", "Books"),
    "music": ("Musiikki", "Music"),
    "art": ("Taide", "Art"),
    "antiques": ("Antiikki", "Antiques"),
    "clothes": ("Vaatteet", "Clothes"),
    "shoes": ("Kengät", "Shoes"),
    "jewelry": ("Korut", "Jewels"),
    "florist": ("Kukat", "Flowers"),
    "furniture": ("Kalusteet", "Furniture"),
    "sports": ("Urheilu", "Sports"),
    "toys": ("Lelut", "Toys"),
    "gift": ("Lahjat", "Gifts"),
    "bicycle": ("Pyörät", "Bicycles"),
    "bicycle_rental": ("Pyöräasema", "City Bikes"),
    "mobile_phone": ("Puhelimet", "Phones"),
    "electronics": ("Elektroniikka", "Electronics"),
    "travel_agency": ("Matkat", "Travel"),
    "dentist": ("Hammaslääkäri", "Dentist"),
    "doctors": ("Lääkäri", "Doctor"),
    "parking": ("Pysäköinti", "Parking"),
    "fitness_centre": ("Kuntosali", "Gym"),
    "shop": ("Myymälä", "Shop"),
    "station": ("Asema", "Station"),
    "subway_station": ("Metro", "Metro"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scheme:
    """Colours and typeface of a sign."""

    ground: str
    ink: str
    face: str


# group -> "ground ink typeface"; every pair differs by at least 0.5 in luminance
_SCHEMES: dict[str, tuple[str, ...]] = {
    "cafe": ("#3b2417 #f4e6c8 slab", "#f1e4c6 #4a2416 serif", "#1f3a34 #f3ead2 round"),
    "food": (
        "#6b1414 #f6e7c4 serif", "#20262b #f2c14e poster", "#f4ecd8 #7d1a1a slab", "#a31f1f #ffffff sans",
        "#f0c12f #5c1111 poster",
    ),
    "bar": ("#14241b #e9c877 slab", "#17171c #ffd24a poster", "#3a1016 #f5dfb4 serif", "#1b2338 #f4efe2 slab"),
    "grocery": ("#0d5c33 #ffffff sans", "#b3161e #ffffff round", "#124a9c #ffffff sans", "#ffd21f #1b2a55 round"),
    "health": (
        "#f6f7f4 #0b5f3c sans", "#0f5a45 #ffffff round", "#f4eef0 #5d2147 serif", "#eef2f4 #1d3c5a sans",
    ),
    "bank": ("#12356b #ffffff sans", "#f3f4f2 #123a6e sans", "#0f4a3a #f2f2ea slab", "#21262c #f1f1ec sans"),
    "hotel": ("#1b1f26 #ecd9a6 serif", "#f3eee2 #2b1b12 serif", "#27314a #f4efe0 serif", "#5a1620 #f5e6c6 serif"),
    "culture": ("#f2f0ea #1d1d1f sans", "#22223a #f5e9d2 serif", "#b5231f #fff6e6 poster", "#e9e2d2 #2a3a5c serif"),
    "tech": (
        "#12356b #ffffff sans", "#ffd21f #1a1a1e heavy", "#b3161e #ffffff wide", "#1d1d20 #f5f3ee sans",
        "#f4f4f1 #0f3a78 wide",
    ),
    "office": ("#2a2f36 #eef0ee sans",),
    "shop": (
        "#1d1d20 #f5f3ee sans", "#f5f3ee #1d1d20 serif", "#f2e9da #6b1f2c round", "#1f3550 #f6f1e4 slab",
        "#8c1d2c #fdf3e4 round", "#274a3c #f4ecd6 poster", "#0f4c5c #f3f0e4 sans",
    ),
}  # fmt: skip
SCHEMES = {group: tuple(Scheme(*row.split()) for row in rows) for group, rows in _SCHEMES.items()}

_GROUP_OF = {value: group for group, values in GROUPS.items() for value in values}


def group_of(category: str) -> str:
    """The group of a category; anything unknown is a shop."""
    return _GROUP_OF.get(category, "shop")


def word_of(category: str, locale: str) -> str:
    """What a sign says a place is, in capitals; "" where the category has no word in that language."""
    finnish, english = WORDS.get(category, ("", ""))
    if locale.startswith("fi"):
        return finnish.upper()
    return (english or category.replace("_", " ")).upper()
