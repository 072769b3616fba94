"""Word lists of residents: names that occur in many countries, occupations, and what people do at places."""

GIVEN_NAMES = {
    "female": (
        "Aino", "Amara", "Ana", "Astrid", "Carmen", "Chiara", "Dana", "Elif", "Elsa", "Emi", "Fatima", "Grace", "Hana",
        "Ida", "Ines", "Iris", "Jia", "Kaisa", "Laila", "Lena", "Lucia", "Mai", "Maria", "Mei", "Mira", "Nadia", "Nora",
        "Olga", "Priya", "Rosa", "Saga", "Sanna", "Sofia", "Tove", "Uma", "Vera", "Wanda", "Yara", "Yuki", "Zoe",
    ),
    "male": (
        "Aaro", "Adam", "Ahmed", "Anton", "Arjun", "Bao", "Bruno", "Cheng", "Dario", "David", "Eero", "Elias", "Emil",
        "Felix", "Goran", "Hugo", "Ivan", "Jonas", "Jun", "Karim", "Kenji", "Leo", "Luis", "Marek", "Mateo", "Mikko",
        "Nils", "Omar", "Oskar", "Paulo", "Rafael", "Ren", "Samuel", "Sven", "Taro", "Tomas", "Viktor", "Wei", "Yusuf",
        "Zoltan",
    ),
}  # fmt: skip
FAMILY_NAMES = (
    "Aalto", "Abe", "Almeida", "Andersson", "Bauer", "Berg", "Chan", "Costa", "Dahl", "Dubois", "Eriksson", "Fong",
    "Garcia", "Haddad", "Hansen", "Heikkinen", "Horvat", "Ito", "Ivanova", "Jensen", "Kato", "Kaur", "Keller",
    "Kim", "Koskinen", "Lam", "Larsen", "Lehto", "Lopez", "Mori", "Moreau", "Nagy", "Nguyen", "Novak", "Okafor",
    "Ozturk", "Park", "Patel", "Rossi", "Saito", "Santos", "Schmidt", "Silva", "Singh", "Tanaka", "Virtanen", "Wong",
    "Yamada", "Zhang",
)  # fmt: skip
OCCUPATIONS = {
    "office": (
        "accountant", "architect", "bank clerk", "civil servant", "editor", "engineer", "estate agent", "lawyer",
        "programmer", "secretary", "translator",
    ),
    "worker": ("builder", "electrician", "gardener", "mechanic", "plumber", "street cleaner", "welder"),
    "student": ("student",),
    "any": (
        "baker", "barber", "bus driver", "carpenter", "cook", "courier", "dentist", "florist", "journalist",
        "librarian", "musician", "nurse", "painter", "pharmacist", "photographer", "police officer", "postal worker",
        "sailor", "shop assistant", "social worker", "tailor", "taxi driver", "teacher", "waiter", "weaver",
    ),
}  # fmt: skip
PASSING = "walking through"
ERRANDS = {
    **dict.fromkeys(("restaurant", "fast_food", "seafood", "food_court"), "having a meal at {}"),
    **dict.fromkeys(("cafe", "tea", "ice_cream"), "sitting down at {}"),
    **dict.fromkeys(("bar", "pub", "nightclub"), "meeting friends at {}"),
    **dict.fromkeys(("bakery", "butcher", "greengrocer", "supermarket", "convenience"), "buying food at {}"),
    **dict.fromkeys(("station", "subway_entrance", "bus_station", "bus_stop", "tram_stop"), "taking a ride from {}"),
    "ferry_terminal": "taking the ferry at {}",
    **dict.fromkeys(("park", "garden", "viewpoint"), "taking a walk in {}"),
    "playground": "playing at {}",
    **dict.fromkeys(("museum", "attraction", "temple", "cinema", "theatre", "arts_centre", "library"), "visiting {}"),
    "place_of_worship": "praying at {}",
    **dict.fromkeys(("office", "company", "government", "architect", "accountant", "lawyer"), "working at {}"),
    **dict.fromkeys(("school", "university", "kindergarten", "educational_institution"), "a lesson at {}"),
    **dict.fromkeys(("bank", "bureau_de_change", "post_office", "townhall"), "an errand at {}"),
    **dict.fromkeys(("hospital", "doctors", "clinic", "dentist", "pharmacy", "herbalist"), "getting help at {}"),
    **dict.fromkeys(("hotel", "hostel"), "checking in at {}"),
    **dict.fromkeys(("hairdresser", "laundry", "tailor", "optician", "copyshop"), "being served at {}"),
}
