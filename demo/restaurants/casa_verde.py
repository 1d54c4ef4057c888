"""Casa Verde in Toronto: its prices are in Canadian dollars, and its payments are not set up, so
nobody can order yet."""

from datetime import time, timedelta
from decimal import Decimal

from demo.plan import PlannedDish, PlannedOffer, PlannedRestaurant, span

CASA_VERDE = PlannedRestaurant(
    subdomain="casa-verde",
    name="Casa Verde",
    cuisine="Mexican",
    description=(
        "Vegetables first, masa every morning, mole on the days we have the patience. "
        "A garden kitchen off Ossington Avenue."
    ),
    spanish_description=(
        "Verduras primero, masa cada mañana y mole los días en que hay paciencia. Una cocina de "
        "huerto junto a Ossington Avenue."
    ),
    tier="free",
    timezone="America/Toronto",
    street="118 Ossington Avenue",
    city="Toronto",
    state="ON",
    zip_code="M6J 2Z4",
    country="CA",
    currency="cad",
    phone="+1 416 555 0168",
    owner_name="Lucía Herrera",
    owner_email="owner3@demo.test",
    owner_password="demo-owner-3",
    connected=False,
    opens_in=1,
    tax_rate="13.00",
    coordinates=("43.6465000", "-79.4197000"),
    hours={
        "wednesday": [span("17:00", "22:00")],
        "thursday": [span("17:00", "22:00")],
        "friday": [span("17:00", "23:00")],
        "saturday": [span("11:00", "23:00")],
        "sunday": [span("11:00", "21:00")],
    },
    dishes=(
        PlannedDish(
            "Cauliflower Tacos",
            Decimal("15.00"),
            "Charred cauliflower, pickled onion, salsa macha, blue cabbage.",
            "tacos",
            allergens=("peanuts", "sesame"),
            spanish={
                "name": "Tacos de coliflor",
                "description": "Coliflor asada, cebolla encurtida, salsa macha y col morada.",
            },
        ),
        PlannedDish(
            "Chiles en Nogada",
            Decimal("26.00"),
            "Stuffed poblanos, walnut sauce, pomegranate.",
            "chiles_en_nogada",
            allergens=("nuts", "milk"),
            spanish={
                "name": "Chiles en nogada",
                "description": "Chiles poblanos rellenos, salsa de nuez y granada.",
            },
        ),
        PlannedDish(
            "Pozole Verde",
            Decimal("18.00"),
            "Hominy, tomatillo, avocado, and radish.",
            "pozole",
            spanish={
                "name": "Pozole verde",
                "description": "Maíz cacahuazintle, tomatillo, aguacate y rábano.",
            },
        ),
        PlannedDish(
            "Esquites",
            Decimal("9.00"),
            "Corn off the cob, crema, cotija, lime.",
            "esquites",
            allergens=("eggs", "milk"),
            spanish={"name": "Esquites", "description": "Elote desgranado, crema, cotija y limón."},
        ),
        PlannedDish(
            "Enmoladas",
            Decimal("19.00"),
            "Tortillas folded in a mole of thirty things.",
            "enmoladas",
            allergens=("nuts", "peanuts", "sesame"),
            spanish={
                "name": "Enmoladas",
                "description": "Tortillas dobladas en un mole de treinta cosas.",
            },
        ),
        PlannedDish(
            "Orange and Jícama Salad",
            Decimal("12.00"),
            "Cucumber, radish, chile, and lime.",
            "ensalada",
            spanish={
                "name": "Ensalada de naranja y jícama",
                "description": "Pepino, rábano, chile y limón.",
            },
        ),
    ),
    offers=(
        PlannedOffer(
            name="Pozole for a Rainy Day",
            dish="Pozole Verde",
            price=Decimal("18.00"),
            special=Decimal("13.00"),
            description="It did not rain.",
            minimum=10,
            opens=timedelta(days=-9),
            closes=timedelta(days=-5),
            served=(time(18), time(21)),
            spanish={"name": "Pozole para un día de lluvia", "description": "No llovió."},
        ),
        PlannedOffer(
            name="Esquites by the Bucket",
            dish="Esquites",
            price=Decimal("9.00"),
            special=Decimal("6.50"),
            description="For the ball game.",
            minimum=20,
            opens=timedelta(days=-6),
            closes=timedelta(days=-2),
            served=(time(17), time(21)),
            deleted=True,
            spanish={"name": "Esquites por cubeta", "description": "Para el partido."},
        ),
        PlannedOffer(
            name="Chiles en Nogada",
            dish="Chiles en Nogada",
            price=Decimal("26.00"),
            special=Decimal("19.00"),
            description=(
                "Walnuts peeled by hand, pomegranates in season for three weeks. "
                "We make it once, for whoever orders."
            ),
            minimum=10,
            maximum=24,
            opens=timedelta(days=-1),
            closes=timedelta(days=3),
            served=(time(18), time(21)),
            spanish={
                "name": "Chiles en nogada",
                "description": (
                    "Nueces peladas a mano y granadas de una temporada que dura tres semanas. Los "
                    "hacemos una sola vez, para quienes los pidan."
                ),
            },
        ),
        PlannedOffer(
            name="Enmoladas, Mole of Thirty Things",
            dish="Enmoladas",
            price=Decimal("19.00"),
            special=Decimal("14.00"),
            description="Two days of toasting and grinding, for fourteen plates or more.",
            minimum=14,
            opens=timedelta(days=-1),
            closes=timedelta(days=4),
            served=(time(18), time(20, 30)),
            alternative="Cauliflower Tacos",
            spanish={
                "name": "Enmoladas, mole de treinta cosas",
                "description": "Dos días de tostar y moler, para catorce platos o más.",
            },
        ),
        PlannedOffer(
            name="Taco Night",
            dish="Cauliflower Tacos",
            price=Decimal("15.00"),
            special=Decimal("10.00"),
            description="Three to a plate, tortillas off the comal.",
            minimum=8,
            maximum=40,
            opens=timedelta(hours=-5),
            closes=timedelta(days=2),
            served=(time(17), time(22)),
            spanish={
                "name": "Noche de tacos",
                "description": "Tres por plato, con tortillas recién salidas del comal.",
            },
        ),
    ),
)
