"""Numbers of templates in Spanish as it is written in the United States: `18.00`, not `18,00`.

Scripts and browsers, which expect a point, read numbers in a page's hidden fields and drawings.
"""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
