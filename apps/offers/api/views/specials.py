"""Endpoints of specials, the public menu, and photo uploads."""

import re
from typing import Any
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from apps.common import clock
from apps.common.errors import FieldError, Invalid, NotFound
from apps.offers import images, selectors, services
from apps.offers.api.serializers.menu import DishesSerializer
from apps.offers.api.serializers.pickup_slots import SpecialWithSlots
from apps.offers.api.serializers.specials import (
    AllProgressSerializer,
    DeletedSerializer,
    NotDeletedSerializer,
    OfferInput,
    ProgressSerializer,
    SpecialSerializer,
    SpecialsSerializer,
    UploadedSerializer,
    UploadedUrlSerializer,
)
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.models import Photo
from apps.offers.presentation import Special
from apps.restaurants.api.views.base import PublicRestaurantView, RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission
from apps.restaurants.selectors import active_restaurant_by_id
from apps.restaurants.services.profile import least_price

RID = OpenApiParameter(
    "rid", str, description="The restaurant's id; on a restaurant's own host it is not needed."
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Up to 200 visible ASCII characters. Repeated with the same body, the request "
    "returns the special it created the first time; with another body, 409.",
)
IDEMPOTENCY_KEY_PATTERN = re.compile(r"[!-~]{1,200}")
INVALID_KEY = "Idempotency-Key must be 1 to 200 visible ASCII characters, such as a UUID."
FORM_OVERHEAD_BYTES = 64 * 1024  # of a multipart form around the file


def displayed_special(restaurant: Restaurant, offer_id: UUID) -> Special:
    offer = selectors.offer_for_display(restaurant=restaurant, offer_id=offer_id)
    if offer is None:
        raise NotFound(UNKNOWN_OFFER)
    return Special(offer, clock.now())


def _idempotency_key(request: Request) -> str:
    """The request's idempotency key, empty without one. Raises Invalid for a malformed one."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return ""
    if not IDEMPOTENCY_KEY_PATTERN.fullmatch(key):
        raise Invalid.because([FieldError("Idempotency-Key", INVALID_KEY)])
    return key


def _valid(serializer: Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    data: dict[str, Any] = serializer.validated_data
    return data


class SpecialOffersView(RestaurantView):
    """Publish a special. With an `Idempotency-Key`, a repeated request returns the same special."""

    rights = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(
        parameters=[IDEMPOTENCY_KEY],
        request=OfferInput,
        responses={201: SpecialSerializer},
    )
    def post(self, request: Request) -> Response:
        context = {
            "zone": self.restaurant.zone,
            "currency": self.restaurant.currency,
            "least": least_price(self.restaurant, self.restaurant.currency),
        }
        terms = _valid(OfferInput(data=request.data, context=context))
        offer = services.publish_offer(
            restaurant=self.restaurant, terms=terms, now=clock.now(), key=_idempotency_key(request)
        )
        special = displayed_special(self.restaurant, offer.pk)
        return Response(SpecialSerializer(special).data, status=201)


def delete_special(restaurant: Restaurant, offer_id: UUID, request: Request) -> Response:
    """Deletion, for both of its URLs (DECISIONS X17)."""
    offer = services.delete_offer(
        restaurant=restaurant, offer_id=offer_id, now=clock.now(), by=str(request.user)
    )
    answer = {
        "message": "Special offer deleted successfully",
        "hasPreorders": False,
        "offerName": offer.name,
    }
    return Response(DeletedSerializer(answer).data)


DELETION = {200: DeletedSerializer, 409: NotDeletedSerializer}


class _OneSpecialView(PublicRestaurantView):
    """Base of views that find the restaurant through the special's id."""

    not_found = UNKNOWN_OFFER

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        return selectors.restaurant_of_offer(self.kwargs["offer_id"])

    def special_on_show(self, offer_id: UUID) -> Special:
        """The special; a deleted one only for its restaurant's team (DECISIONS X70)."""
        special = displayed_special(self.restaurant, offer_id)
        if special.is_deleted and not self.is_own:
            raise NotFound(UNKNOWN_OFFER)
        return special


class SpecialView(_OneSpecialView):
    """One special: public to read, and its restaurant can delete it."""

    rights = {"DELETE": Permission.EDIT_OFFERS}

    @extend_schema(parameters=[RID], responses=SpecialWithSlots)
    def get(self, request: Request, offer_id: UUID) -> Response:
        return Response(SpecialWithSlots(self.special_on_show(offer_id)).data)

    @extend_schema(responses=DELETION)
    def delete(self, request: Request, offer_id: UUID) -> Response:
        return delete_special(self.restaurant, offer_id, request)


class SpecialProgressView(_OneSpecialView):
    """What changes while people look at a special. The same for everybody, so it is cached for two
    seconds; clients that send the `ETag` get 304 while nothing is new."""

    authentication_classes = []
    renderer_classes = [JSONRenderer]

    @extend_schema(parameters=[RID], responses=ProgressSerializer)
    def get(self, request: Request, offer_id: UUID) -> Response:
        return Response(ProgressSerializer(self.special_on_show(offer_id)).data)


class AllProgressView(PublicRestaurantView):
    """The progress of all the restaurant's specials that are open or closed within the last hour,
    for pages that list them."""

    authentication_classes = []
    renderer_classes = [JSONRenderer]

    @extend_schema(parameters=[RID], responses=AllProgressSerializer)
    def get(self, request: Request) -> Response:
        now = clock.now()
        offers: Any = selectors.offers_being_watched(restaurant=self.restaurant, now=now)
        specials = {"specials": [Special(offer, now) for offer in offers]}
        return Response(AllProgressSerializer(specials).data)


class AvailableSpecialsView(PublicRestaurantView):
    """The open specials; for the restaurant's team, the specials on its dashboard."""

    restaurant_required = False

    @extend_schema(parameters=[RID], responses=SpecialsSerializer)
    def get(self, request: Request) -> Response:
        now = clock.now()
        offers: Any = []
        if self.restaurant:
            choose = selectors.offers_for_dashboard if self.is_own else selectors.offers_for_guests
            offers = choose(restaurant=self.restaurant, now=now)
        specials = {"specials": [Special(offer, now) for offer in offers]}
        return Response(SpecialsSerializer(specials).data)


class RestaurantSpecialsView(PublicRestaurantView):
    """A restaurant's open specials, as a plain list."""

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        return active_restaurant_by_id(self.kwargs["restaurant_id"])

    @extend_schema(responses=SpecialSerializer(many=True))
    def get(self, request: Request, restaurant_id: UUID) -> Response:
        if self.restaurant.pk != restaurant_id:
            raise NotFound("We couldn't find that restaurant. Check the link and try again.")
        now = clock.now()
        offers: Any = selectors.offers_for_guests(restaurant=self.restaurant, now=now)
        specials: Any = [Special(offer, now) for offer in offers]
        return Response(SpecialSerializer(specials, many=True).data)


class DishesView(PublicRestaurantView):
    """The public regular menu."""

    restaurant_required = False

    @extend_schema(parameters=[RID], responses=DishesSerializer)
    def get(self, request: Request) -> Response:
        dishes: Any = []
        if self.restaurant:
            dishes = selectors.dishes_on_the_menu(restaurant=self.restaurant)
        return Response(DishesSerializer({"dishes": dishes}).data)


class _UploadView(RestaurantView):
    """Accepts one photo in a multipart form, as `image` or `file` (DECISIONS X29)."""

    rights = {"POST": Permission.EDIT_OFFERS}
    parser_classes = [MultiPartParser]
    limits_its_body = True
    field: str

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before the body is read, so a huge upload is refused by its Content-Length alone.
        if (
            int(request.META.get("CONTENT_LENGTH") or 0)
            > settings.IMAGE_MAX_BYTES + FORM_OVERHEAD_BYTES
        ):
            raise images.too_heavy(self.field)
        super().initial(request, *args, **kwargs)

    def uploaded(self, request: Request) -> Photo:
        for name in ("image", "file"):
            upload = request.FILES.get(name)
            if upload is not None:
                return services.upload_photo(
                    restaurant=self.restaurant, data=upload.read(), field=name
                )
        message = "Choose a photo to upload."
        raise Invalid(message, fields=[FieldError(self.field, message)])


def _picture_form(name: str) -> dict[str, Any]:
    picture = {"type": "string", "format": "binary"}
    return {
        "multipart/form-data": {
            "type": "object",
            "properties": {name: picture},
            "required": [name],
        }
    }


class UploadImageView(_UploadView):
    """Upload a photo for a special; returns its URLs."""

    field = "image"

    @extend_schema(request=_picture_form("image"), responses={200: UploadedSerializer})
    def post(self, request: Request) -> Response:
        photo = self.uploaded(request)
        picture = {
            "url": images.photo_jpeg(photo),
            "srcset": images.photo_srcset(photo),
            "width": photo.width,
            "height": photo.height,
        }
        return Response(UploadedSerializer({"data": picture}).data)


class UploadFileView(_UploadView):
    """Upload a photo from the edit form, with the answer that form expects."""

    field = "file"

    @extend_schema(request=_picture_form("file"), responses={200: UploadedUrlSerializer})
    def post(self, request: Request) -> Response:
        answer = {"url": images.photo_jpeg(self.uploaded(request))}
        return Response(UploadedUrlSerializer(answer).data)
