"""The offers' endpoints: parse, call one service or selector, answer."""

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
from apps.offers.api import serializers
from apps.offers.api.serializers import OfferEditInput, OfferInput
from apps.offers.api.views.pickup_slots import SpecialWithSlots
from apps.offers.locks import UNKNOWN_OFFER
from apps.offers.models import Photo
from apps.offers.presentation import Special
from apps.restaurants.api.views.base import PublicRestaurantView, RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission
from apps.restaurants.selectors import active_restaurant_by_id

RID = OpenApiParameter(
    "rid", str, description="The restaurant's id; on a restaurant's own host it is not needed."
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Names one press of the form, up to 200 visible characters: sent again with the "
    "same body it answers the special that was made the first time, with another body 409.",
)
VISIBLE = re.compile(r"[!-~]{1,200}")
UNREADABLE_KEY = "The Idempotency-Key is 1 to 200 visible ASCII characters, such as a UUID."
FORM_OVERHEAD = 64 * 1024  # a multipart form's own bytes around the file


def _special(restaurant: Restaurant, offer_id: UUID) -> Special:
    offer = selectors.offer_for_display(restaurant=restaurant, offer_id=offer_id)
    if offer is None:
        raise NotFound(UNKNOWN_OFFER)
    return Special(offer, clock.now())


def _idempotency_key(request: Request) -> str:
    """The request's key, empty without one. Raises Invalid for one that is not a key."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return ""
    if not VISIBLE.fullmatch(key):
        raise Invalid.because([FieldError("Idempotency-Key", UNREADABLE_KEY)])
    return key


def _valid(serializer: Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    data: dict[str, Any] = serializer.validated_data
    return data


class SpecialOffersView(RestaurantView):
    """Publish a special. With an `Idempotency-Key`, asking again answers the same special."""

    rights = {"POST": Permission.EDIT_OFFERS}

    @extend_schema(
        parameters=[IDEMPOTENCY_KEY],
        request=OfferInput,
        responses={201: serializers.SpecialSerializer},
    )
    def post(self, request: Request) -> Response:
        context = {"zone": self.restaurant.zone, "currency": self.restaurant.currency}
        terms = _valid(OfferInput(data=request.data, context=context))
        offer = services.publish_offer(
            restaurant=self.restaurant, terms=terms, now=clock.now(), key=_idempotency_key(request)
        )
        special = _special(self.restaurant, offer.pk)
        return Response(serializers.SpecialSerializer(special).data, status=201)


def _deleted(restaurant: Restaurant, offer_id: UUID, request: Request) -> Response:
    """One deletion for both addresses (DECISIONS X17)."""
    offer = services.delete_offer(
        restaurant=restaurant, offer_id=offer_id, now=clock.now(), by=str(request.user)
    )
    answer = {
        "message": "Special offer deleted successfully",
        "hasPreorders": False,
        "offerName": offer.name,
    }
    return Response(serializers.DeletedSerializer(answer).data)


DELETION = {200: serializers.DeletedSerializer, 409: serializers.NotDeletedSerializer}


class DishView(RestaurantView):
    """Change or delete a special, by the address the edit form uses."""

    rights = {"PUT": Permission.EDIT_OFFERS, "DELETE": Permission.EDIT_OFFERS}

    @extend_schema(request=OfferEditInput, responses=serializers.SpecialSerializer)
    def put(self, request: Request, offer_id: UUID) -> Response:
        context = {"zone": self.restaurant.zone, "currency": self.restaurant.currency}
        changes = _valid(OfferEditInput(data=request.data, context=context))
        services.edit_offer(
            restaurant=self.restaurant,
            offer_id=offer_id,
            changes=changes,
            now=clock.now(),
            by=getattr(request.user, "name", "") or str(request.user),
        )
        return Response(serializers.SpecialSerializer(_special(self.restaurant, offer_id)).data)

    @extend_schema(responses=DELETION)
    def delete(self, request: Request, offer_id: UUID) -> Response:
        return _deleted(self.restaurant, offer_id, request)


class _OneSpecialView(PublicRestaurantView):
    """A special says by its id whose it is."""

    not_found = UNKNOWN_OFFER

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        return selectors.restaurant_of_offer(self.kwargs["offer_id"])


class SpecialView(_OneSpecialView):
    """One special, for everybody to see and for its restaurant to delete."""

    rights = {"DELETE": Permission.EDIT_OFFERS}

    @extend_schema(parameters=[RID], responses=SpecialWithSlots)
    def get(self, request: Request, offer_id: UUID) -> Response:
        return Response(SpecialWithSlots(_special(self.restaurant, offer_id)).data)

    @extend_schema(responses=DELETION)
    def delete(self, request: Request, offer_id: UUID) -> Response:
        return _deleted(self.restaurant, offer_id, request)


class SpecialProgressView(_OneSpecialView):
    """What moves while people look at a special; the same for everybody, so it is kept for two
    seconds, and who sends its `ETag` back is answered 304 while nothing is new."""

    authentication_classes = []
    renderer_classes = [JSONRenderer]

    @extend_schema(parameters=[RID], responses=serializers.ProgressSerializer)
    def get(self, request: Request, offer_id: UUID) -> Response:
        return Response(serializers.ProgressSerializer(_special(self.restaurant, offer_id)).data)


class AllProgressView(PublicRestaurantView):
    """The same of all the restaurant's specials that can be ordered or were until an hour ago, for
    pages that list them."""

    authentication_classes = []
    renderer_classes = [JSONRenderer]

    @extend_schema(parameters=[RID], responses=serializers.AllProgressSerializer)
    def get(self, request: Request) -> Response:
        now = clock.now()
        offers: Any = selectors.offers_being_watched(restaurant=self.restaurant, now=now)
        specials = {"specials": [Special(offer, now) for offer in offers]}
        return Response(serializers.AllProgressSerializer(specials).data)


class AvailableSpecialsView(PublicRestaurantView):
    """What can be pre-ordered; for the restaurant's own people, what concerns them now."""

    restaurant_required = False

    @extend_schema(parameters=[RID], responses=serializers.SpecialsSerializer)
    def get(self, request: Request) -> Response:
        now = clock.now()
        offers: Any = []
        if self.restaurant:
            choose = selectors.offers_for_dashboard if self.is_own else selectors.offers_for_guests
            offers = choose(restaurant=self.restaurant, now=now)
        specials = {"specials": [Special(offer, now) for offer in offers]}
        return Response(serializers.SpecialsSerializer(specials).data)


class RestaurantSpecialsView(PublicRestaurantView):
    """A restaurant's specials that can be pre-ordered, as a bare list."""

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        return active_restaurant_by_id(self.kwargs["restaurant_id"])

    @extend_schema(responses=serializers.SpecialSerializer(many=True))
    def get(self, request: Request, restaurant_id: UUID) -> Response:
        if self.restaurant.pk != restaurant_id:
            raise NotFound("We could not find that restaurant. Check the link and try again.")
        now = clock.now()
        offers: Any = selectors.offers_for_guests(restaurant=self.restaurant, now=now)
        specials: Any = [Special(offer, now) for offer in offers]
        return Response(serializers.SpecialSerializer(specials, many=True).data)


class DishesView(PublicRestaurantView):
    """The regular menu, for everybody."""

    restaurant_required = False

    @extend_schema(parameters=[RID], responses=serializers.DishesSerializer)
    def get(self, request: Request) -> Response:
        dishes: Any = []
        if self.restaurant:
            dishes = selectors.dishes_on_the_menu(restaurant=self.restaurant)
        return Response(serializers.DishesSerializer({"dishes": dishes}).data)


class _UploadView(RestaurantView):
    """Takes one picture in a multipart form, under either of its two names (DECISIONS X29)."""

    rights = {"POST": Permission.EDIT_OFFERS}
    parser_classes = [MultiPartParser]
    field: str

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before anything reads the body: a gigabyte is refused by its announced length.
        if int(request.META.get("CONTENT_LENGTH") or 0) > settings.IMAGE_MAX_BYTES + FORM_OVERHEAD:
            raise images.too_heavy(self.field)
        super().initial(request, *args, **kwargs)

    def uploaded(self, request: Request) -> Photo:
        for name in ("image", "file"):
            upload = request.FILES.get(name)
            if upload is not None:
                return services.upload_photo(
                    restaurant=self.restaurant, data=upload.read(), field=name
                )
        message = "Choose a picture to upload."
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
    """Keep a picture for a special; answers where it is."""

    field = "image"

    @extend_schema(request=_picture_form("image"), responses={200: serializers.UploadedSerializer})
    def post(self, request: Request) -> Response:
        photo = self.uploaded(request)
        picture = {
            "url": images.photo_jpeg(photo),
            "srcset": images.photo_srcset(photo),
            "width": photo.width,
            "height": photo.height,
        }
        return Response(serializers.UploadedSerializer({"data": picture}).data)


class UploadFileView(_UploadView):
    """The same for the edit form, in its own envelope."""

    field = "file"

    @extend_schema(
        request=_picture_form("file"), responses={200: serializers.UploadedUrlSerializer}
    )
    def post(self, request: Request) -> Response:
        answer = {"url": images.photo_jpeg(self.uploaded(request))}
        return Response(serializers.UploadedUrlSerializer(answer).data)
