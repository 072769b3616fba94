"""Roots of names for the western cities; nouns that nobody owns."""

from citysim.build.procedural.names import ROOTS as MINI_ROOTS

ROOTS = (
    *MINI_ROOTS,
    "Anvil", "Beacon", "Candle", "Dolphin", "Feather", "Gable", "Hatchet", "Inkwell", "Jackdaw", "Kettle", "Lobster",
    "Mallard", "Needle", "Oyster", "Pepper", "Quill", "Raven", "Saddle", "Tulip", "Velvet", "Wagon", "Almond",
    "Barley", "Cinnamon", "Dragonfly", "Fiddle", "Glove", "Hornet", "Iris", "Jigsaw", "Lavender", "Mustard", "Nimbus",
    "Onyx", "Parsley", "Quartz", "Ribbon", "Scarlet", "Thimble", "Urchin", "Vanilla", "Whistle", "Apricot", "Bobbin",
    "Cherry", "Drumlin", "Firefly", "Granite", "Honeycomb", "Lemon", "Mulberry", "Nightjar", "Olive", "Paprika",
    "Redwing", "Sable", "Tamarind", "Wicker", "Amber", "Bellows", "Compass", "Dormouse", "Ferret", "Gannet",
    "Hickory", "Lark", "Molasses", "Pebble", "Skylark", "Turnip", "Vesper", "Woodcock", "Cuckoo", "Driftwood",
    "Gooseberry", "Lilac", "Moth", "Plover", "Rhubarb", "Sundial", "Tortoise", "Wolfhound", "Zinnia",
)  # fmt: skip
MODIFIERS = (
    "Old", "Little", "Blue", "Red", "Green", "Black", "White", "Silver", "Copper", "Merry", "Sunny", "Corner", "Upper",
    "Lower", "Happy", "Royal", "Golden", "Hidden", "Quiet", "Double", "Three", "Seven", "Plain", "Brave", "Grand",
    "Summer", "Winter", "Autumn", "Northern", "Southern", "Eastern", "Western", "Velvet", "Honest", "Dusty", "Rapid",
)  # fmt: skip
SURNAMES = (
    "Abernock", "Ballantry", "Corrigle", "Delaforde", "Ellsmore", "Farrowby", "Gallivan", "Haverill", "Ingledew",
    "Jessamy", "Kilbrannan", "Lorrimer", "Maddigan", "Nethercott", "Ostrander", "Pettibone", "Quarrington",
    "Ravensworth", "Somerled", "Tarrantino", "Underhay", "Vandermoor", "Whitlocke", "Yelverton", "Zabriskie",
    "Ashgrove", "Brackenby", "Coldwater", "Dunmoyle", "Everhart", "Fitzwarren", "Grindlay", "Holloway", "Ivarsson",
    "Jorgensby", "Kowalmont", "Lindqvist", "Morrowind", "Novotnik", "Oliphant", "Pemberwick",
)  # fmt: skip
GUILDS = (
    "Coopers", "Saddlers", "Weavers", "Chandlers", "Fletchers", "Glovers", "Tanners", "Dyers", "Masons", "Potters",
    "Cutlers", "Hatters", "Ropers", "Tilers", "Turners", "Wheelers", "Carvers", "Drapers", "Fishers", "Gilders",
    "Joiners", "Lacers", "Millers", "Pewterers", "Scribes", "Thatchers", "Vintners", "Basketers", "Cordwainers",
    "Farriers", "Girdlers", "Horners", "Loriners", "Mercers", "Plumers", "Skinners", "Spurriers", "Brewers",
)  # fmt: skip
SAINTS = (
    "Aldric", "Brannoc", "Corentin", "Dunstan", "Elowen", "Fergal", "Gudula", "Hedwig", "Isidor", "Jarlath", "Kilian",
    "Leoba", "Meinrad", "Notburga", "Odilia", "Perpetua", "Quirin", "Radegund", "Servaas", "Tancred", "Ursula",
    "Vedast", "Walburga", "Zita",
)  # fmt: skip
GATES = (
    "Water", "Hill", "Salt", "Bishop", "Tower", "Mint", "Corn", "Wool", "Horse", "Lion", "Swan", "Moon", "Fish", "Wine",
    "Well", "Iron", "Rose", "Crown", "Pilgrim", "Herring", "Goose", "Lantern", "Cloister", "Garrison", "Vineyard",
)  # fmt: skip
TREES = (
    "Walnut", "Chestnut", "Sycamore", "Magnolia", "Cypress", "Juniper", "Hemlock", "Locust", "Mulberry", "Hawthorn",
    "Linden", "Redwood", "Tamarack", "Buckeye", "Catalpa", "Dogwood", "Hickory", "Laurel", "Poplar", "Spruce",
)  # fmt: skip
COMPOSERS = (
    "Albinoni", "Boccherini", "Corelli", "Dowland", "Elgar", "Frescobaldi", "Grieg", "Handel", "Janacek", "Kodaly",
    "Lully", "Mahler", "Nielsen", "Offenbach", "Purcell", "Rameau", "Scarlatti", "Telemann", "Vivaldi", "Weber",
)  # fmt: skip
BIRDS = (
    "Heron", "Plover", "Kestrel", "Wagtail", "Lapwing", "Nightingale", "Goldfinch", "Cormorant", "Bittern", "Avocet",
    "Skylark", "Redstart", "Moorhen", "Sandpiper", "Woodpecker", "Starling", "Grebe", "Oystercatcher", "Linnet",
)  # fmt: skip
