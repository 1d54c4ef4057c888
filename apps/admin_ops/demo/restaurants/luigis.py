"""Luigi's Trattoria in New York: on the free tier, with every kind of ending in its history."""

from datetime import timedelta
from decimal import Decimal

from apps.admin_ops.demo.plan import PlannedDish, PlannedOffer, PlannedRestaurant

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
            Decimal("16.00"),
            "Buffalo mozzarella, ripe tomatoes, basil and our own oil.",
            "caprese",
        ),
        PlannedDish(
            "Pizza Margherita",
            Decimal("18.00"),
            "San Marzano tomatoes, fior di latte, basil; ninety seconds in the wood oven.",
            "margherita",
        ),
        PlannedDish(
            "Tagliatelle al Ragù",
            Decimal("22.00"),
            "Egg pasta rolled this morning, ragù of beef and pork, Parmigiano.",
            "tagliatelle",
        ),
        PlannedDish(
            "Osso Buco alla Milanese",
            Decimal("36.00"),
            "Veal shank braised for four hours, saffron risotto, gremolata.",
            "osso_buco",
        ),
        PlannedDish(
            "Minestrone della Nonna", Decimal("11.00"), "Whatever the market had, and beans."
        ),
        PlannedDish(
            "Tiramisù", Decimal("12.00"), "Mascarpone, espresso, a great deal of cocoa.", "tiramisu"
        ),
    ),
    offers=(
        PlannedOffer(
            name="Margherita Night",
            dish="Pizza Margherita",
            price=Decimal("18.00"),
            special=Decimal("12.50"),
            description="One long evening at the wood oven.",
            minimum=8,
            opens=timedelta(days=-24),
            closes=timedelta(days=-20),
            orders=(4, 3, 2, 2),
            refunded=2,
            handed_out=True,
        ),
        PlannedOffer(
            name="Osso Buco, Family Style",
            dish="Osso Buco alla Milanese",
            price=Decimal("36.00"),
            special=Decimal("27.00"),
            description="A whole pot, carved at the table.",
            minimum=15,
            opens=timedelta(days=-8),
            closes=timedelta(days=-4),
            orders=(2, 3),
        ),
        PlannedOffer(
            name="Caprese on the Terrace",
            dish="Caprese di Bufala",
            price=Decimal("16.00"),
            special=Decimal("11.00"),
            description="The first tomatoes of the year.",
            minimum=10,
            opens=timedelta(days=-7),
            closes=timedelta(days=-3),
            deleted=True,
        ),
        PlannedOffer(
            name="Caprese di Bufala for Lunch",
            dish="Caprese di Bufala",
            price=Decimal("16.00"),
            special=Decimal("11.50"),
            description="Mozzarella that left Campania yesterday.",
            minimum=5,
            opens=timedelta(days=-6),
            closes=timedelta(days=-2),
            orders=(2, 2, 3),
            handed_out=True,
            no_show=1,
        ),
        PlannedOffer(
            name="Osso Buco alla Milanese",
            dish="Osso Buco alla Milanese",
            price=Decimal("36.00"),
            special=Decimal("26.00"),
            description=(
                "Veal shank braised for four hours until it gives way to a spoon, on saffron "
                "risotto with lemon gremolata. The butcher needs to know by the deadline how many "
                "shanks to cut."
            ),
            minimum=12,
            maximum=24,
            opens=timedelta(days=-2),
            closes=timedelta(days=2),
            orders=(2, 3, 2, 3),
            alternative="Tagliatelle al Ragù",
        ),
        PlannedOffer(
            name="Tagliatelle al Ragù, the Long Way",
            dish="Tagliatelle al Ragù",
            price=Decimal("22.00"),
            special=Decimal("16.00"),
            description=(
                "The ragù simmers from morning to evening. Pasta rolled by hand for as many as "
                "have ordered, and not one plate more."
            ),
            minimum=8,
            opens=timedelta(days=-1.5),
            closes=timedelta(days=3),
            orders=(3, 2, 2, 1),
        ),
        PlannedOffer(
            name="Margherita from the Wood Oven",
            dish="Pizza Margherita",
            price=Decimal("18.00"),
            special=Decimal("13.00"),
            description="We light the oven for ten pizzas or more.",
            minimum=10,
            maximum=30,
            opens=timedelta(days=-3),
            closes=timedelta(hours=4),
            orders=(3, 4),
        ),
        PlannedOffer(
            name="Tiramisù, Half a Tray",
            dish="Tiramisù",
            price=Decimal("14.00"),
            special=Decimal("9.50"),
            description="Made the night before, as it should be. Two trays and no more.",
            minimum=6,
            maximum=12,
            opens=timedelta(days=-2.5),
            closes=timedelta(days=1),
            orders=(4, 3, 3, 1),
        ),
    ),
)
