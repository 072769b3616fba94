"""Which places a small town has, what they call themselves and when they open."""

from dataclasses import dataclass

from citysim.build.chance import Chance

DAY = ("Mo-Fr 09:00-18:00; Sa 10:00-16:00", "Mo-Fr 10:00-19:00; Sa 10:00-17:00", "Mo-Sa 09:30-18:30")
EARLY = ("Mo-Sa 06:30-17:00", "Mo-Fr 07:00-18:00; Sa 08:00-15:00", "Mo-Su 07:30-17:30")
LONG = ("Mo-Su 08:00-22:00", "Mo-Sa 07:00-21:00; Su 10:00-20:00")
MEALS = ("Mo-Sa 11:30-22:30", "Tu-Su 12:00-23:00", "Mo-Fr 11:00-22:00; Sa-Su 12:00-23:00")
NIGHT = ("Mo-Th 16:00-24:00; Fr-Sa 16:00-02:00", "We-Su 18:00-01:00")
OFFICE = ("Mo-Fr 09:00-16:30", "Mo-Fr 10:00-16:00")
CULTURE = ("Tu-Su 10:00-18:00", "We-Su 11:00-19:00")
ALWAYS = ("24/7",)


@dataclass(frozen=True, slots=True)
class Trade:
    """A kind of place: its OSM category, the word its sign ends in, the key it is tagged under, its hours."""

    category: str
    word: str
    key: str
    hours: tuple[str, ...]


# the first twenty-four are in every town, the rest where there is room
TRADES = (
    Trade("cafe", "Cafe", "amenity", EARLY),
    Trade("bakery", "Bakery", "shop", EARLY),
    Trade("bank", "Bank", "amenity", OFFICE),
    Trade("pharmacy", "Pharmacy", "amenity", DAY),
    Trade("supermarket", "Market", "shop", LONG),
    Trade("restaurant", "Kitchen", "amenity", MEALS),
    Trade("books", "Books", "shop", DAY),
    Trade("clothes", "Clothing", "shop", DAY),
    Trade("shoes", "Shoes", "shop", DAY),
    Trade("florist", "Flowers", "shop", DAY),
    Trade("hairdresser", "Hair", "shop", DAY),
    Trade("bar", "Bar", "amenity", NIGHT),
    Trade("post_office", "Post", "amenity", OFFICE),
    Trade("bicycle", "Cycles", "shop", DAY),
    Trade("electronics", "Radio", "shop", DAY),
    Trade("toys", "Toys", "shop", DAY),
    Trade("jewelry", "Jewels", "shop", DAY),
    Trade("optician", "Optics", "shop", DAY),
    Trade("butcher", "Butcher", "shop", EARLY),
    Trade("fast_food", "Noodles", "amenity", MEALS),
    Trade("furniture", "Home", "shop", DAY),
    Trade("hardware", "Tools", "shop", DAY),
    Trade("travel_agency", "Travel", "shop", OFFICE),
    Trade("gift", "Gifts", "shop", DAY),
    Trade("ice_cream", "Ice Cream", "amenity", LONG),
    Trade("music", "Music", "shop", DAY),
    Trade("cafe", "Tea Room", "amenity", DAY),
    Trade("restaurant", "Grill", "amenity", MEALS),
    Trade("laundry", "Laundry", "shop", DAY),
    Trade("art", "Gallery", "shop", CULTURE),
    Trade("stationery", "Paper", "shop", DAY),
    Trade("pub", "Tavern", "amenity", NIGHT),
    Trade("sports", "Sports", "shop", DAY),
    Trade("dentist", "Dental", "amenity", OFFICE),
    Trade("convenience", "Corner", "shop", LONG),
    Trade("deli", "Deli", "shop", EARLY),
)
HOTEL = Trade("hotel", "Hotel", "tourism", ALWAYS)
MUSEUM = Trade("museum", "Museum", "tourism", CULTURE)
LIBRARY = Trade("library", "Library", "amenity", CULTURE)
SCHOOL = Trade("school", "School", "amenity", OFFICE)
CHURCH = Trade("place_of_worship", "Church", "amenity", CULTURE)
KIOSK = Trade("kiosk", "Kiosk", "shop", LONG)
COMPANY = Trade("company", "Works", "office", OFFICE)


def hours_of(trade: Trade, chance: Chance) -> str:
    """Opening hours in OpenStreetMap's notation."""
    return chance.choice(trade.hours, f"hours/{trade.category}/{trade.word}")
