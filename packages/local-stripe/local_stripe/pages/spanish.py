"""Spanish for what a customer reads: the checkout page speaks the session's ``locale``, and the
browser script says what it says of a card in its own.

Stripe knows more languages: https://docs.stripe.com/payments/checkout/customization/policies#localization,
https://docs.stripe.com/js/appendix/supported_locales
"""

_SPANISH = {
    "Pay": "Pagar",
    "Book": "Reservar",
    "Subscribe": "Suscribirse",
    "Save card": "Guardar tarjeta",
    "Pay with card": "Pagar con tarjeta",
    "Cancel and go back": "Cancelar y volver",
    "Total": "Total",
    "Email": "Correo electrónico",
    "Card number": "Número de tarjeta",
    "Expiry": "Vencimiento",
    "MM / YY": "MM / AA",
    "CVC": "CVC",
    "Name on card": "Nombre en la tarjeta",
    "Qty {quantity}, {each} each": "Cant. {quantity}, {each} cada una",
    "We'll place a hold on your card now and charge it later.": (
        "Ahora retenemos el importe en tu tarjeta y lo cobramos después."
    ),
    "Payment": "Pago",
    "This checkout is complete": "Este pago ya está completo",
    "Your card was already accepted. You don't need to do anything.": (
        "Tu tarjeta ya fue aceptada. No tienes que hacer nada."
    ),
    "Continue": "Continuar",
    "This checkout has expired": "Este pago venció",
    "Nothing was charged. Go back and start again.": (
        "No se cobró nada. Vuelve y empieza de nuevo."
    ),
    "Go back": "Volver",
    "Enter your email address.": "Escribe tu correo electrónico.",
    "Enter the expiration date as month and year, for example 12 / 34.": (
        "Escribe el vencimiento como mes y año, por ejemplo 12 / 34."
    ),
    "Your card number is incorrect.": "El número de tu tarjeta es incorrecto.",
    "Your card's expiration month is invalid.": "El mes de vencimiento no es válido.",
    "Your card's expiration year is invalid.": "El año de vencimiento no es válido.",
    "Your card's security code is invalid.": "El código de seguridad no es válido.",
    "Your card's security code is incorrect.": "El código de seguridad es incorrecto.",
    "Your card was declined.": "Tu tarjeta fue rechazada.",
    "Your card has insufficient funds.": "Tu tarjeta no tiene fondos suficientes.",
    "Your card has expired.": "Tu tarjeta está vencida.",
    "Your card was declined. This transaction requires authentication.": (
        "Tu tarjeta fue rechazada. Este pago requiere autenticación."
    ),
    "We are unable to authenticate your payment method. Please choose a different payment method "
    "and try again.": "No pudimos autenticar tu método de pago. Elige otro e inténtalo de nuevo.",
}


class Wording:
    """Texts in a locale's language, English where it has no other."""

    def __init__(self, locale: str | None) -> None:
        self.language = "es" if (locale or "").partition("-")[0] == "es" else "en"

    def __call__(self, text: str, **facts: object) -> str:
        spoken = _SPANISH.get(text, text) if self.language == "es" else text
        return spoken.format(**facts) if facts else spoken
