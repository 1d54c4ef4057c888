"""The demo's three restaurants: two that take orders, one whose payments are not set up yet."""

from datetime import timedelta
from decimal import Decimal

from apps.admin_ops.demo.plan import PlannedDish, PlannedOffer, PlannedRestaurant


def _d(text: str) -> Decimal:
    return Decimal(text)


def _days(days: float) -> timedelta:
    return timedelta(days=days)


def _hours(hours: float) -> timedelta:
    return timedelta(hours=hours)


LUIGIS = PlannedRestaurant(
    subdomain="luigis",
    name="Luigi's Trattoria",
    cuisine="Italian",
    description=(
        "Three generations of the same kitchen on a corner of Mulberry Street. "
        "Some dishes only make sense in a big pot; those we cook when enough of you want them."
    ),
    tier="free",
    timezone="America/New_York",
    street="184 Mulberry Street",
    city="New York",
    state="NY",
    zip_code="10012",
    phone="+1 212 555 0142",
    owner_name="Luisa Bianchi",
    owner_email="owner@demo.test",
    owner_password="demo-owner-1",
    connected=True,
    coordinates=("40.7209000", "-73.9963000"),
    dishes=(
        PlannedDish(
            "Caprese di Bufala",
            _d("16.00"),
            "Buffalo mozzarella, ripe tomatoes, basil and our own oil.",
            "caprese",
        ),
        PlannedDish(
            "Pizza Margherita",
            _d("18.00"),
            "San Marzano tomatoes, fior di latte, basil; ninety seconds in the wood oven.",
            "margherita",
        ),
        PlannedDish(
            "Tagliatelle al Ragù",
            _d("22.00"),
            "Egg pasta rolled this morning, ragù of beef and pork, Parmigiano.",
            "tagliatelle",
        ),
        PlannedDish(
            "Osso Buco alla Milanese",
            _d("36.00"),
            "Veal shank braised for four hours, saffron risotto, gremolata.",
            "osso_buco",
        ),
        PlannedDish("Minestrone della Nonna", _d("11.00"), "Whatever the market had, and beans."),
        PlannedDish(
            "Tiramisù", _d("12.00"), "Mascarpone, espresso, a great deal of cocoa.", "tiramisu"
        ),
    ),
    offers=(
        PlannedOffer(
            name="Margherita Night",
            dish="Pizza Margherita",
            price=_d("18.00"),
            special=_d("12.50"),
            description="One long evening at the wood oven.",
            minimum=8,
            opens=_days(-24),
            closes=_days(-20),
            orders=(4, 3, 2, 2),
            refunded=2,
            handed_out=True,
        ),
        PlannedOffer(
            name="Osso Buco, Family Style",
            dish="Osso Buco alla Milanese",
            price=_d("36.00"),
            special=_d("27.00"),
            description="A whole pot, carved at the table.",
            minimum=15,
            opens=_days(-8),
            closes=_days(-4),
            orders=(2, 3),
        ),
        PlannedOffer(
            name="Caprese on the Terrace",
            dish="Caprese di Bufala",
            price=_d("16.00"),
            special=_d("11.00"),
            description="The first tomatoes of the year.",
            minimum=10,
            opens=_days(-7),
            closes=_days(-3),
            deleted=True,
        ),
        PlannedOffer(
            name="Caprese di Bufala for Lunch",
            dish="Caprese di Bufala",
            price=_d("16.00"),
            special=_d("11.50"),
            description="Mozzarella that left Campania yesterday.",
            minimum=5,
            opens=_days(-6),
            closes=_days(-2),
            orders=(2, 2, 3),
            handed_out=True,
            no_show=1,
        ),
        PlannedOffer(
            name="Osso Buco alla Milanese",
            dish="Osso Buco alla Milanese",
            price=_d("36.00"),
            special=_d("26.00"),
            description=(
                "Veal shank braised for four hours until it gives way to a spoon, on saffron "
                "risotto with lemon gremolata. The butcher needs to know by the deadline how many "
                "shanks to cut."
            ),
            minimum=12,
            maximum=24,
            opens=_days(-2),
            closes=_days(2),
            orders=(2, 3, 2, 3),
            alternative="Tagliatelle al Ragù",
        ),
        PlannedOffer(
            name="Tagliatelle al Ragù, the Long Way",
            dish="Tagliatelle al Ragù",
            price=_d("22.00"),
            special=_d("16.00"),
            description=(
                "The ragù simmers from morning to evening. Pasta rolled by hand for as many as "
                "have ordered, and not one plate more."
            ),
            minimum=8,
            opens=_days(-1.5),
            closes=_days(3),
            orders=(3, 2, 2, 1),
        ),
        PlannedOffer(
            name="Margherita from the Wood Oven",
            dish="Pizza Margherita",
            price=_d("18.00"),
            special=_d("13.00"),
            description="We light the oven for ten pizzas or more. Tonight decides.",
            minimum=10,
            maximum=30,
            opens=_days(-3),
            closes=_hours(4),
            orders=(3, 4),
        ),
        PlannedOffer(
            name="Tiramisù, Half a Tray",
            dish="Tiramisù",
            price=_d("14.00"),
            special=_d("9.50"),
            description="Made the night before, as it should be. Two trays and no more.",
            minimum=6,
            maximum=12,
            opens=_days(-2.5),
            closes=_days(1),
            orders=(4, 3, 3, 1),
        ),
    ),
)

SAKURA = PlannedRestaurant(
    subdomain="sakura",
    name="Sakura Ramen & Izakaya",
    cuisine="Japanese",
    description=(
        "Fourteen seats at the counter, a charcoal grill and a stock that takes two days. "
        "Order ahead and we know how many bones to buy."
    ),
    tier="branded",
    timezone="America/Chicago",
    street="1427 North Milwaukee Avenue",
    city="Chicago",
    state="IL",
    zip_code="60622",
    phone="+1 312 555 0117",
    owner_name="Haruka Mori",
    owner_email="owner2@demo.test",
    owner_password="demo-owner-2",
    connected=True,
    tax_rate="10.75",
    coordinates=("41.9084000", "-87.6746000"),
    dishes=(
        PlannedDish(
            "Tonkotsu Ramen",
            _d("19.00"),
            "Pork bone broth, chashu, marinated egg, wood-ear mushroom.",
            "tonkotsu",
        ),
        PlannedDish(
            "Spicy Miso Ramen",
            _d("18.00"),
            "Red miso, minced pork, sweetcorn, bean sprouts, chilli oil.",
            "miso",
        ),
        PlannedDish(
            "Chirashi", _d("32.00"), "Salmon, tuna, roe and omelette on seasoned rice.", "chirashi"
        ),
        PlannedDish("Gyoza", _d("12.00"), "Eight, crisp below and soft above.", "gyoza"),
        PlannedDish(
            "Yakitori", _d("16.00"), "Chicken thigh and leek over binchotan charcoal.", "yakitori"
        ),
        PlannedDish(
            "Okonomiyaki",
            _d("17.00"),
            "Cabbage pancake the Osaka way, bonito flakes.",
            "okonomiyaki",
        ),
        PlannedDish("Matcha Ice Cream", _d("8.00"), "Uji matcha, roasted rice on top."),
    ),
    offers=(
        PlannedOffer(
            name="Chirashi Lunch",
            dish="Chirashi",
            price=_d("32.00"),
            special=_d("24.00"),
            description="If the fish market sends enough.",
            minimum=12,
            opens=_days(-13),
            closes=_days(-9),
            orders=(2, 2),
        ),
        PlannedOffer(
            name="Spicy Miso Ramen, the Big Pot",
            dish="Spicy Miso Ramen",
            price=_d("18.00"),
            special=_d("13.50"),
            description="Forty litres of miso broth.",
            minimum=8,
            opens=_days(-7),
            closes=_days(-3),
            orders=(3, 2, 4),
            handed_out=True,
        ),
        PlannedOffer(
            name="Gyoza by the Dozen",
            dish="Gyoza",
            price=_d("18.00"),
            special=_d("12.00"),
            description="Folded to order, twelve at a time.",
            minimum=6,
            opens=_days(-4),
            closes=_hours(-3),
            served_after=2,
            orders=(4, 2, 3),
            unpaid=1,
        ),
        PlannedOffer(
            name="Tonkotsu, Two Days in the Pot",
            dish="Tonkotsu Ramen",
            price=_d("19.00"),
            special=_d("14.50"),
            description=(
                "Bones from Thursday, broth on Saturday: white, thick and worth the wait. "
                "Chashu, a marinated egg, wood-ear mushroom and spring onions."
            ),
            minimum=20,
            maximum=40,
            opens=_days(-3),
            closes=_days(2),
            orders=(4, 3, 5, 4, 2, 3, 2),
        ),
        PlannedOffer(
            name="Chirashi from the Morning Boat",
            dish="Chirashi",
            price=_d("32.00"),
            special=_d("25.00"),
            description="Ten bowls, bought for the ten who asked.",
            minimum=8,
            maximum=10,
            opens=_days(-2),
            closes=_days(1),
            orders=(4, 3, 3),
        ),
        PlannedOffer(
            name="Yakitori Evening",
            dish="Yakitori",
            price=_d("24.00"),
            special=_d("17.00"),
            description="Six skewers a person, from breast to tail, while the charcoal lasts.",
            minimum=12,
            maximum=36,
            opens=_days(-1),
            closes=_days(4),
            orders=(2, 1),
        ),
        PlannedOffer(
            name="Okonomiyaki Sunday",
            dish="Okonomiyaki",
            price=_d("17.00"),
            special=_d("12.00"),
            description="Just published. Be the first at the table.",
            minimum=10,
            opens=_hours(-1),
            closes=_days(5),
        ),
    ),
)

CASA_VERDE = PlannedRestaurant(
    subdomain="casa-verde",
    name="Casa Verde",
    cuisine="Mexican",
    description=(
        "Vegetables first, masa every morning, mole on the days we have the patience. "
        "A garden kitchen in Highland Park."
    ),
    tier="free",
    timezone="America/Los_Angeles",
    street="5028 York Boulevard",
    city="Los Angeles",
    state="CA",
    zip_code="90042",
    phone="+1 323 555 0168",
    owner_name="Lucía Herrera",
    owner_email="owner3@demo.test",
    owner_password="demo-owner-3",
    connected=False,
    tax_rate="9.75",
    coordinates=("34.1218000", "-118.2058000"),
    dishes=(
        PlannedDish(
            "Cauliflower Tacos",
            _d("15.00"),
            "Charred cauliflower, pickled onion, salsa macha, blue cabbage.",
            "tacos",
        ),
        PlannedDish(
            "Chiles en Nogada",
            _d("26.00"),
            "Stuffed poblanos, walnut sauce, pomegranate.",
            "chiles_en_nogada",
        ),
        PlannedDish(
            "Pozole Verde", _d("18.00"), "Hominy, tomatillo, avocado and radish.", "pozole"
        ),
        PlannedDish("Esquites", _d("9.00"), "Corn off the cob, crema, cotija, lime.", "esquites"),
        PlannedDish(
            "Enmoladas", _d("19.00"), "Tortillas folded in a mole of thirty things.", "enmoladas"
        ),
        PlannedDish(
            "Orange and Jícama Salad", _d("12.00"), "Cucumber, radish, chilli and lime.", "ensalada"
        ),
    ),
    offers=(
        PlannedOffer(
            name="Pozole for a Rainy Day",
            dish="Pozole Verde",
            price=_d("18.00"),
            special=_d("13.00"),
            description="It did not rain.",
            minimum=10,
            opens=_days(-9),
            closes=_days(-5),
        ),
        PlannedOffer(
            name="Esquites by the Bucket",
            dish="Esquites",
            price=_d("9.00"),
            special=_d("6.50"),
            description="For the ball game.",
            minimum=20,
            opens=_days(-6),
            closes=_days(-2),
            deleted=True,
        ),
        PlannedOffer(
            name="Chiles en Nogada",
            dish="Chiles en Nogada",
            price=_d("26.00"),
            special=_d("19.00"),
            description=(
                "Walnuts peeled by hand, pomegranates in season for three weeks. "
                "We make it once, for whoever orders."
            ),
            minimum=10,
            maximum=24,
            opens=_days(-1),
            closes=_days(3),
        ),
        PlannedOffer(
            name="Enmoladas, Mole of Thirty Things",
            dish="Enmoladas",
            price=_d("19.00"),
            special=_d("14.00"),
            description="Two days of toasting and grinding, for fourteen plates or more.",
            minimum=14,
            opens=_days(-1),
            closes=_days(4),
            alternative="Cauliflower Tacos",
        ),
        PlannedOffer(
            name="Taco Night",
            dish="Cauliflower Tacos",
            price=_d("15.00"),
            special=_d("10.00"),
            description="Three to a plate, tortillas off the comal.",
            minimum=8,
            maximum=40,
            opens=_hours(-5),
            closes=_days(2),
        ),
    ),
)

RESTAURANTS = (LUIGIS, SAKURA, CASA_VERDE)
