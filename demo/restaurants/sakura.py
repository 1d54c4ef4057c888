"""Sakura in Chicago: on the branded tier, with a card that failed a moment ago."""

from datetime import time, timedelta
from decimal import Decimal

from demo.plan import PlannedDish, PlannedOffer, PlannedRestaurant, span

SAKURA = PlannedRestaurant(
    subdomain="sakura",
    name="Sakura Ramen & Izakaya",
    cuisine="Japanese",
    description=(
        "Fourteen seats at the counter, a charcoal grill, and a stock that takes two days. "
        "Order ahead and we know how many bones to buy."
    ),
    spanish_description=(
        "Catorce lugares en la barra, una parrilla de carbón y un caldo que tarda dos días. Pide "
        "con tiempo y sabremos cuántos huesos comprar."
    ),
    tier="branded",
    accent="#b8315e",
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
    hours={
        "monday": [span("17:00", "23:00")],
        "tuesday": [span("17:00", "23:00")],
        "wednesday": [span("17:00", "23:00")],
        "thursday": [span("17:00", "23:00")],
        "friday": [span("17:00", "01:00")],
        "saturday": [span("12:00", "15:00"), span("17:00", "01:00")],
        "sunday": [span("12:00", "21:00")],
    },
    dine_in_note="There's a seat at the counter for everyone who orders.",
    pickup_note="Skip the line and give your code at the bar.",
    spanish_notes=(
        "Hay un lugar en la barra para cada persona que pide.",
        "Pasa sin hacer fila y da tu código en la barra.",
    ),
    links={
        "instagram": "https://instagram.com/sakura.milwaukee",
        "twitter": "https://twitter.com/sakura_chicago",
    },
    dishes=(
        PlannedDish(
            "Tonkotsu Ramen",
            Decimal("19.00"),
            "Pork bone broth, chashu, marinated egg, wood-ear mushroom.",
            "tonkotsu",
            allergens=("gluten", "eggs", "soy", "sesame"),
            spanish={
                "name": "Ramen tonkotsu",
                "description": "Caldo de hueso de cerdo, chashu, huevo marinado y hongo negro.",
            },
        ),
        PlannedDish(
            "Spicy Miso Ramen",
            Decimal("18.00"),
            "Red miso, ground pork, corn, bean sprouts, chili oil.",
            "miso",
            allergens=("gluten", "soy", "sesame"),
            spanish={
                "name": "Ramen de miso picante",
                "description": "Miso rojo, cerdo molido, maíz, brotes de soya y aceite de chile.",
            },
        ),
        PlannedDish(
            "Chirashi",
            Decimal("32.00"),
            "Salmon, tuna, roe, and omelet on seasoned rice.",
            "chirashi",
            allergens=("fish", "eggs", "soy"),
            spanish={
                "name": "Chirashi",
                "description": "Salmón, atún, huevas y tortilla de huevo sobre arroz aderezado.",
            },
        ),
        PlannedDish(
            "Gyoza",
            Decimal("12.00"),
            "Eight, crisp below and soft above.",
            "gyoza",
            allergens=("gluten", "sesame", "soy"),
            spanish={
                "name": "Gyoza",
                "description": "Ocho, crujientes por abajo y suaves por arriba.",
            },
        ),
        PlannedDish(
            "Yakitori",
            Decimal("16.00"),
            "Chicken thigh and leek over binchotan charcoal.",
            "yakitori",
            allergens=("soy", "gluten"),
            spanish={
                "name": "Yakitori",
                "description": "Muslo de pollo y puerro sobre carbón binchotan.",
            },
        ),
        PlannedDish(
            "Okonomiyaki",
            Decimal("17.00"),
            "Cabbage pancake the Osaka way, bonito flakes.",
            "okonomiyaki",
            allergens=("gluten", "eggs", "fish", "soy"),
            spanish={
                "name": "Okonomiyaki",
                "description": "Tortilla de col al estilo de Osaka, con hojuelas de bonito.",
            },
        ),
        PlannedDish(
            "Matcha Ice Cream",
            Decimal("8.00"),
            "Uji matcha, roasted rice on top.",
            allergens=("eggs", "milk"),
            spanish={
                "name": "Helado de matcha",
                "description": "Matcha de Uji con arroz tostado encima.",
            },
        ),
    ),
    followers=("Grace Lindqvist", "Hugo Marchetti", "Ines Duarte", "Rosa Alvarez"),
    offers=(
        PlannedOffer(
            name="Chirashi Lunch",
            dish="Chirashi",
            price=Decimal("32.00"),
            special=Decimal("24.00"),
            description="If the fish market sends enough.",
            minimum=12,
            opens=timedelta(days=-13),
            closes=timedelta(days=-9),
            served=(time(12), time(14)),
            orders=(2, 2),
            spanish={
                "name": "Almuerzo de chirashi",
                "description": "Si el mercado de pescado manda suficiente.",
            },
        ),
        PlannedOffer(
            name="Spicy Miso Ramen, the Big Pot",
            dish="Spicy Miso Ramen",
            price=Decimal("18.00"),
            special=Decimal("13.50"),
            description="Ten gallons of miso broth.",
            minimum=8,
            opens=timedelta(days=-7),
            closes=timedelta(days=-3),
            served=(time(18), time(21)),
            orders=(3, 2, 4),
            picked_up=True,
            liked=(True, True, True),
            spanish={
                "name": "Ramen de miso picante, la olla grande",
                "description": "Casi cuarenta litros de caldo de miso.",
            },
        ),
        PlannedOffer(
            name="Gyoza by the Dozen",
            dish="Gyoza",
            price=Decimal("18.00"),
            special=Decimal("12.00"),
            description="Folded to order, twelve at a time.",
            minimum=6,
            opens=timedelta(days=-4),
            closes=timedelta(hours=-3),
            served=(time(17), time(20)),
            served_after=2,
            orders=(4, 2, 3),
            unpaid=1,
            spanish={
                "name": "Gyozas por docena",
                "description": "Dobladas al momento, de doce en doce.",
            },
        ),
        PlannedOffer(
            name="Tonkotsu, Two Days in the Pot",
            dish="Tonkotsu Ramen",
            price=Decimal("19.00"),
            special=Decimal("14.50"),
            description=(
                "White, thick broth, two days in the pot. Chashu, a marinated egg, wood-ear "
                "mushroom, and scallions."
            ),
            minimum=20,
            maximum=40,
            opens=timedelta(days=-3),
            closes=timedelta(days=2),
            orders=(4, 3, 5, 4, 2, 3, 2),
            served=(time(17, 30), time(20, 30)),
            spanish={
                "name": "Tonkotsu, dos días en la olla",
                "description": (
                    "Caldo blanco y espeso, dos días en la olla. Chashu, huevo marinado, hongo "
                    "oreja de madera y cebollín."
                ),
            },
        ),
        PlannedOffer(
            name="Chirashi from the Morning Boat",
            dish="Chirashi",
            price=Decimal("32.00"),
            special=Decimal("25.00"),
            description="Ten bowls, bought for the ten who asked.",
            minimum=8,
            maximum=10,
            opens=timedelta(days=-2),
            closes=timedelta(days=1),
            orders=(4, 3, 3),
            waiting=(2, 1, 3),
            served=(time(17), time(19)),
            spanish={
                "name": "Chirashi del barco de la mañana",
                "description": "Diez tazones, comprados para las diez personas que los pidieron.",
            },
        ),
        PlannedOffer(
            name="Yakitori Evening",
            dish="Yakitori",
            price=Decimal("24.00"),
            special=Decimal("17.00"),
            description=(
                "Six skewers, straight off the charcoal. Chicken from breast to tail, one plate a "
                "person."
            ),
            minimum=12,
            maximum=36,
            opens=timedelta(days=-1),
            closes=timedelta(days=4),
            orders=(2, 1),
            served=(time(18), time(20, 30)),
            spanish={
                "name": "Noche de yakitori",
                "description": (
                    "Seis brochetas, directo del carbón. Pollo de la pechuga a la rabadilla, un "
                    "plato por persona."
                ),
            },
        ),
        PlannedOffer(
            name="Okonomiyaki, Osaka Style",
            dish="Okonomiyaki",
            price=Decimal("17.00"),
            special=Decimal("12.00"),
            description=(
                "Cabbage pancake with bonito flakes. Griddled the Osaka way, sauce and all."
            ),
            minimum=10,
            opens=timedelta(hours=-1),
            closes=timedelta(days=5),
            served=(time(18), time(20)),
            spanish={
                "name": "Okonomiyaki al estilo de Osaka",
                "description": (
                    "Tortilla de col con hojuelas de bonito. Hecha a la plancha como en Osaka, con "
                    "todo y salsa."
                ),
            },
        ),
    ),
)
