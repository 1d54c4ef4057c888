"""Products and prices."""

from ..routing import endpoint
from ..server import Call
from ..store import Json
from ..wire import list_object, merge_metadata
from .listing import listing, retrieval


@endpoint("POST", "/v1/products", "ProductCreateParams")
def create_product(call: Call, params: Json) -> Json:
    product = call.new(
        "product",
        active=params.get("active", True),
        description=params.get("description"),
        images=params.get("images") or [],
        marketing_features=[],
        metadata=merge_metadata({}, params.get("metadata")),
        name=params["name"],
        type=params.get("type", "service"),
        updated=call.now,
        url=params.get("url"),
    )
    call.emit("product.created", product)
    return product


@endpoint("POST", "/v1/products/{id}", "ProductModifyParams")
def update_product(call: Call, params: Json, id: str) -> Json:
    product = call.get("product", id)
    plain = ("active", "description", "images", "name", "url", "default_price")
    changes = {name: params[name] for name in plain if name in params}
    metadata = merge_metadata(product["metadata"], params.get("metadata"))
    call.update(product, metadata=metadata, updated=call.now, **changes)
    call.emit("product.updated", product)
    return product


@endpoint("POST", "/v1/prices", "PriceCreateParams")
def create_price(call: Call, params: Json) -> Json:
    product = params.get("product")
    if product:
        call.get("product", product, "product")
    else:
        product = create_product(call, params.get("product_data") or {"name": "Item"})["id"]
    recurring = params.get("recurring")
    unit_amount = params.get("unit_amount")
    price = call.new(
        "price",
        active=params.get("active", True),
        billing_scheme="per_unit",
        currency=params["currency"].lower(),
        lookup_key=params.get("lookup_key"),
        metadata=merge_metadata({}, params.get("metadata")),
        nickname=params.get("nickname"),
        product=product,
        recurring={
            "interval": recurring["interval"],
            "interval_count": recurring.get("interval_count", 1),
            "meter": None,
            "trial_period_days": None,
            "usage_type": "licensed",
        }
        if recurring
        else None,
        tax_behavior=params.get("tax_behavior", "unspecified"),
        type="recurring" if recurring else "one_time",
        unit_amount=unit_amount,
        unit_amount_decimal=None if unit_amount is None else str(unit_amount),
    )
    call.emit("price.created", price)
    return price


@endpoint("POST", "/v1/prices/{id}", "PriceModifyParams")
def update_price(call: Call, params: Json, id: str) -> Json:
    price = call.get("price", id)
    changes = {n: params[n] for n in ("active", "lookup_key", "nickname") if n in params}
    metadata = merge_metadata(price["metadata"], params.get("metadata"))
    call.update(price, metadata=metadata, **changes)
    call.emit("price.updated", price)
    return price


@endpoint("GET", "/v1/prices", "PriceListParams")
def list_prices(call: Call, params: Json) -> Json:
    wanted = params.get("lookup_keys")
    answer = listing("price", "/v1/prices", fields=("active", "currency", "product", "type"))(
        call, params
    )
    if wanted:
        answer["data"] = [price for price in answer["data"] if price["lookup_key"] in wanted]
    return answer


@endpoint("GET", "/v1/products/{id}/features", "ProductListFeaturesParams")
def list_features(call: Call, params: Json, id: str) -> Json:
    call.get("product", id)
    return list_object(f"/v1/products/{id}/features", [])


endpoint("GET", "/v1/products", "ProductListParams")(
    listing("product", "/v1/products", fields=("active",))
)
endpoint("GET", "/v1/products/{id}", "ProductRetrieveParams")(retrieval("product"))
endpoint("GET", "/v1/prices/{id}", "PriceRetrieveParams")(retrieval("price"))
