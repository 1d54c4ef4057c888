"""What the API's description says about all of it, for drf-spectacular."""

API_DESCRIPTION = """\
Specials that go ahead only when enough guests pre-order.

**Amounts** are strings with two decimals, such as `"24.00"`. The object that has them names their
`currency`. **Times** are in ISO 8601 with an offset. **Lists** take `limit` and `cursor` and return
`nextCursor`, which is null on the last page.

**Refusals** are always `{code, message, errors}`. `code` is for programs and never changes.
`message` is for people and is translated.

**Versions.** This is version 1. Within it, we only add fields, operations, optional parameters, and
codes; a client ignores what it doesn't know. Before we remove anything, it is marked `deprecated`
here and answers with the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) for at least six
months.
"""
SPECTACULAR_SETTINGS = {
    "TITLE": "Fully Booked",
    "DESCRIPTION": API_DESCRIPTION,
    "VERSION": "1.0.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "apps.common.api.schema.camel_case_path_parameters",
    ],
    "ENUM_NAME_OVERRIDES": {
        "ErrorCodeEnum": "apps.common.api.schema.ERROR_CODES",
        "FieldErrorCodeEnum": "apps.common.api.schema.FIELD_ERROR_CODES",
        "PreOrderStatusEnum": "apps.preorders.models.states.PreOrderStatus",
        "PaymentStatusEnum": "apps.preorders.models.states.PaymentStatus",
        "CartStatusEnum": "apps.preorders.models.states.CartStatus",
        "CartItemStatusEnum": "apps.preorders.models.states.CartItemStatus",
        "EmailKindEnum": "apps.preorders.models.states.EmailKind",
        "PlatformEnum": "apps.marketing.social_composers.Platform",
        "AccountRoleEnum": "apps.accounts.models.User.Role",
        "MembershipRoleEnum": "apps.restaurants.models.Membership.Role",
        "HealthStatusEnum": "apps.admin_ops.api.serializers.STATUSES",
        "ServiceModeEnum": "apps.offers.serving.ServiceMode",
        "ServiceChoiceEnum": "apps.offers.serving.ServiceChoice",
        "OfferChangeKindEnum": "apps.offers.models.OfferChange.Kind",
    },
}
