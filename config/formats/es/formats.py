"""Numbers of templates in Spanish as it is written in the United States: `18.00`, not `18,00`.

A page's hidden fields and drawings hold numbers too, and whoever reads those expects a point.
"""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
