"""Luigi's Trattoria in New York: on the free tier, with every kind of ending in its history."""

from datetime import time, timedelta
from decimal import Decimal

from apps.offers.serving import ServiceMode
from demo.plan import PlannedCampaign, PlannedDish, PlannedOffer, PlannedRestaurant, span

DINNER_TIMES = (
    (time(17, 0), time(17, 30), 6),
    (time(17, 30), time(18, 0), 6),
    (time(18, 0), time(18, 30), 10),
)

LUIGIS = PlannedRestaurant(
    subdomain="luigis",
    name="Luigi's Trattoria",
    cuisine="Italian",
    description=(
        "Three generations of the same kitchen on a corner of Mulberry Street. "
        "When enough of you order the same dish, we cook it all at once and charge less for it."
    ),
    spanish_description=(
        "Tres generaciones en la misma cocina, en una esquina de Mulberry Street. Cuando varios "
        "piden el mismo plato, lo cocinamos de una vez y cobramos menos por él."
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
    hours={
        "monday": [span("17:00", "22:00")],
        "tuesday": [span("17:00", "22:00")],
        "wednesday": [span("17:00", "22:00")],
        "thursday": [span("17:00", "22:00")],
        "friday": [span("11:30", "14:30"), span("17:00", "23:00")],
        "saturday": [span("11:30", "14:30"), span("17:00", "23:00")],
        "sunday": [span("12:00", "22:00")],
    },
    dine_in_note="There's a table for everyone who orders. Ask for Luisa.",
    pickup_note="Come to the side door on Broome Street.",
    spanish_notes=(
        "Hay una mesa para cada pedido. Pregunta por Luisa.",
        "Ven a la puerta lateral, en Broome Street.",
    ),
    shows_ratings=True,
    links={
        "facebook": "https://facebook.com/luigis.mulberry",
        "instagram": "https://instagram.com/luigis.mulberry",
    },
    dishes=(
        PlannedDish(
            "Caprese di Bufala",
            Decimal("16.00"),
            "Buffalo mozzarella, ripe tomatoes, basil, and our own oil.",
            "caprese",
            allergens=("milk",),
            dietary=("vegetarian", "gluten_free"),
            spanish={
                "name": "Caprese de búfala",
                "description": "Mozzarella de búfala, tomates maduros, albahaca y nuestro aceite.",
            },
        ),
        PlannedDish(
            "Pizza Margherita",
            Decimal("18.00"),
            "San Marzano tomatoes, fior di latte, basil; ninety seconds in the wood oven.",
            "margherita",
            allergens=("gluten", "milk"),
            dietary=("vegetarian",),
            spanish={
                "name": "Pizza margarita",
                "description": (
                    "Tomate San Marzano, fior di latte y albahaca; noventa segundos en el horno de "
                    "leña."
                ),
            },
        ),
        PlannedDish(
            "Tagliatelle al Ragù",
            Decimal("22.00"),
            "Egg pasta rolled this morning, ragù of beef and pork, Parmigiano.",
            "tagliatelle",
            allergens=("gluten", "eggs", "milk", "celery"),
            spanish={
                "name": "Tallarines al ragú",
                "description": (
                    "Pasta al huevo hecha esta mañana, ragú de res y cerdo, parmesano."
                ),
            },
        ),
        PlannedDish(
            "Osso Buco alla Milanese",
            Decimal("36.00"),
            "Veal shank braised for four hours, saffron risotto, gremolata.",
            "osso_buco",
            allergens=("celery", "milk", "sulphites"),
            dietary=("gluten_free",),
            spanish={
                "name": "Osobuco a la milanesa",
                "description": (
                    "Ternera cocida cuatro horas a fuego lento, risotto al azafrán y gremolata."
                ),
            },
        ),
        PlannedDish(
            "Minestrone della Nonna",
            Decimal("11.00"),
            "Whatever the market had, and beans.",
            allergens=("celery",),
            dietary=("vegan",),
            spanish={
                "name": "Minestrone de la abuela",
                "description": "Lo que hubo en el mercado, y frijoles.",
            },
        ),
        PlannedDish(
            "Tiramisù",
            Decimal("7.00"),
            "One square: mascarpone, espresso, a great deal of cocoa.",
            "tiramisu",
            allergens=("eggs", "gluten", "milk"),
            dietary=("vegetarian",),
            spanish={
                "name": "Tiramisú",
                "description": "Un cuadro: mascarpone, café y mucho cacao.",
            },
        ),
    ),
    followers=(
        "Keiko Tanaka",
        "Liam O'Connor",
        "Noah Bergström",
        "Olivia Chen",
        "Priya Nair",
        "Rosa Alvarez",
        "Samir Aziz",
        "Tess Vandermeer",
    ),
    unconfirmed=("Umberto Greco",),
    unsubscribed=("Viola Hartmann",),
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
            served=(time(18), time(22)),
            orders=(4, 3, 2, 2),
            refunded=2,
            picked_up=True,
            spanish={
                "name": "Noche de margarita",
                "description": "Una noche larga junto al horno.",
            },
            liked=(True, True, None, True),
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
            served=(time(19), time(21, 30)),
            orders=(2, 3),
            spanish={
                "name": "Osobuco al estilo familiar",
                "description": "Una olla entera, servida en la mesa.",
            },
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
            served=(time(18), time(21)),
            deleted=True,
            spanish={
                "name": "Caprese en la terraza",
                "description": "Los primeros tomates del año.",
            },
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
            served=(time(12), time(14)),
            orders=(2, 2, 3),
            picked_up=True,
            no_show=1,
            part_refunded=(2, Decimal("12.42")),
            liked=(True, None, False),
            spanish={
                "name": "Caprese para el almuerzo",
                "description": "Mozzarella recién llegada.",
            },
        ),
        PlannedOffer(
            name="Osso Buco alla Milanese",
            dish="Osso Buco alla Milanese",
            price=Decimal("36.00"),
            special=Decimal("26.00"),
            description=(
                "Veal shank, braised until a spoon will do. Four hours in the pot, on saffron "
                "risotto with lemon gremolata. The butcher needs to know by the deadline how many "
                "shanks to cut."
            ),
            minimum=12,
            maximum=24,
            opens=timedelta(days=-2),
            closes=timedelta(days=2),
            orders=(2, 3, 2, 3),
            campaign=PlannedCampaign(
                sent_after=timedelta(hours=12),
                opened_by=("Amara Okafor", "Grace Lindqvist", "Noah Bergström", "Rosa Alvarez"),
                clicked_by=("Keiko Tanaka", "Liam O'Connor", "Olivia Chen"),
            ),
            alternative="Caprese di Bufala",
            wishes={1: "One portion without gremolata, please: lemon allergy."},
            service_mode=ServiceMode.DINE_IN,
            served=(time(19), time(21, 30)),
            story=(
                "My father made this on the first cold Sunday of the year, and nobody was allowed "
                "to lift the lid before four o'clock."
            ),
            spanish={
                "name": "Osobuco a la milanesa",
                "description": (
                    "Ternera que se deshace con la cuchara. Cuatro horas a fuego lento, sobre "
                    "risotto al azafrán con gremolata de limón. En cuanto cierran los pedidos, el "
                    "carnicero sabe cuántas piezas cortar."
                ),
                "story": (
                    "Mi padre lo hacía el primer domingo frío del año, y nadie podía levantar la "
                    "tapa antes de las cuatro."
                ),
            },
        ),
        PlannedOffer(
            name="Tagliatelle al Ragù, the Long Way",
            dish="Tagliatelle al Ragù",
            price=Decimal("22.00"),
            special=Decimal("16.00"),
            description=(
                "Ragù that simmers from morning to evening. Pasta rolled by hand for as many as "
                "have ordered, and not one plate more."
            ),
            minimum=8,
            opens=timedelta(days=-1.5),
            closes=timedelta(days=3),
            orders=(3, 2, 2, 1),
            served=(time(17), time(18, 30)),
            slots=DINNER_TIMES,
            weekly=True,
            spanish={
                "name": "Tallarines al ragú, sin prisa",
                "description": (
                    "Un ragú que hierve a fuego lento de la mañana a la noche. Pasta hecha a mano "
                    "para quienes pidieron, y ni un plato más."
                ),
            },
            wishes={0: "No celery in the ragù for one of us, if you can.", 3: "Celiac!"},
            by_phone=2,
        ),
        PlannedOffer(
            name="Pizza Margherita from the Wood Oven",
            dish="Pizza Margherita",
            price=Decimal("18.00"),
            special=Decimal("13.00"),
            description=(
                "A whole pizza from our oak-fired oven. San Marzano tomatoes, fior di latte, and "
                "basil. We light the oven for ten or more."
            ),
            minimum=10,
            maximum=30,
            opens=timedelta(days=-3),
            closes=timedelta(hours=4),
            orders=(3, 4),
            served=(time(18), time(22)),
            story=(
                "The oven needs three hours and half a cord of oak before the first pizza. For "
                "three guests that's madness; for ten it's a party."
            ),
            spanish={
                "name": "Pizza margarita al horno de leña",
                "description": (
                    "Una pizza entera de nuestro horno de leña. Tomate San Marzano, fior di latte "
                    "y albahaca. Encendemos el horno para diez o más."
                ),
                "story": (
                    "El horno pide tres horas y un montón de leña antes de la primera pizza. Para "
                    "tres personas es una locura; para diez, una fiesta."
                ),
            },
        ),
        PlannedOffer(
            name="Tiramisù, Half a Tray",
            dish="Tiramisù",
            price=Decimal("14.00"),
            special=Decimal("9.50"),
            description=(
                "Two large squares, made the night before. Mascarpone, espresso, and a great deal "
                "of cocoa. Six trays and no more."
            ),
            service_mode=ServiceMode.PICKUP,
            served=(time(17), time(20)),
            minimum=6,
            maximum=12,
            opens=timedelta(days=-2.5),
            closes=timedelta(days=1),
            orders=(4, 3, 3, 1),
            waiting=(2,),
            story="My grandmother's tray, and her rule: nobody gets a corner twice.",
            spanish={
                "name": "Tiramisú, media charola",
                "description": (
                    "Dos cuadros grandes, hechos la noche anterior. Mascarpone, café y mucho "
                    "cacao. Seis charolas y ni una más."
                ),
                "story": "La charola de mi abuela, y su regla: nadie repite esquina.",
            },
        ),
        PlannedOffer(
            name="Minestrone for the Whole Street",
            dish="Minestrone della Nonna",
            price=Decimal("11.00"),
            special=Decimal("7.50"),
            description="The big pot, ladled out at the door tonight.",
            minimum=6,
            opens=timedelta(days=-3),
            closes=timedelta(days=-1),
            orders=(2, 3, 1, 2, 2),
            slots=DINNER_TIMES,
            wishes={1: "One child with a celery allergy: plain pasta would do.", 4: "Extra basil"},
            by_phone=3,
            spanish={
                "name": "Minestrone para toda la calle",
                "description": "La olla grande, servida esta noche en la puerta.",
            },
        ),
        PlannedOffer(
            name="Tagliatelle for the Block",
            dish="Tagliatelle al Ragù",
            price=Decimal("22.00"),
            special=Decimal("15.00"),
            description="Rolled out on every table we have.",
            minimum=10,
            opens=timedelta(days=-54),
            closes=timedelta(days=-50),
            served=(time(18), time(21)),
            orders=(3, 2, 4, 2),
            picked_up=True,
            liked=(True, True, True, None),
            spanish={
                "name": "Tallarines para la cuadra",
                "description": "Hechos en todas las mesas.",
            },
        ),
        PlannedOffer(
            name="Tiramisù, the Whole Tray",
            dish="Tiramisù",
            price=Decimal("14.00"),
            special=Decimal("9.00"),
            description="One tray, cut in squares.",
            minimum=6,
            maximum=12,
            opens=timedelta(days=-45),
            closes=timedelta(days=-42),
            served=(time(17), time(21)),
            orders=(2, 1, 3, 2),
            picked_up=True,
            liked=(True, True, True, True),
            spanish={"name": "Tiramisú, la charola", "description": "Una charola, en cuadros."},
        ),
    ),
)
