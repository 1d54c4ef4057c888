"""Endpoints of specials, the public menu, and photo uploads."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from apps.common import clock
from apps.common.api.query import CURSOR, limit_parameter, read_limit
from apps.common.error_codes import ErrorCode
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
from apps.offers.selectors import OfferPage
from apps.restaurants.api.idempotency import idempotent
from apps.restaurants.api.views.base import PublicRestaurantView, RestaurantView
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import Permission
from apps.restaurants.selectors import active_restaurant_by_id
from apps.restaurants.services.profile import least_price

PAGES = [CURSOR, limit_parameter(selectors.MAX_ROWS, selectors.MAX_ROWS)]
FORM_OVERHEAD_BYTES = 64 * 1024  # of a multipart form around the file


def displayed_special(restaurant: Restaurant, offer_id: UUID) -> Special:
    offer = selectors.offer_for_display(restaurant=restaurant, offer_id=offer_id)
    if offer is None:
        raise NotFound(UNKNOWN_OFFER)
    return Special(offer, clock.now())


def _valid(serializer: Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    data: dict[str, Any] = serializer.validated_data
    return data


class SpecialOffersView(RestaurantView):
    """Publish a special. With an `Idempotency-Key`, a repeated request returns the same special."""

    rights = {"POST": Permission.EDIT_OFFERS}
    refusals: ClassVar = {
        "POST": (
            ErrorCode.CONFIRM_EMAIL,
            ErrorCode.PROFILE_INCOMPLETE,
            ErrorCode.SUBSCRIPTION_LAPSED,
        ),
    }

    @extend_schema(request=OfferInput, responses={201: SpecialSerializer})
    @idempotent
    def post(self, request: Request) -> Response:
        context = {
            "zone": self.restaurant.zone,
            "currency": self.restaurant.currency,
            "least": least_price(self.restaurant, self.restaurant.currency),
        }
        terms = _valid(OfferInput(data=request.data, context=context))
        offer = services.publish_offer(
            restaurant=self.restaurant, terms=terms, now=clock.now(), attempt=self.attempt
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
    refusals: ClassVar = {
        "DELETE": (
            ErrorCode.HAS_ORDERS,
            ErrorCode.DEADLINE_PASSED,
        ),
    }

    @extend_schema(responses=SpecialWithSlots)
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

    @extend_schema(responses=ProgressSerializer)
    def get(self, request: Request, offer_id: UUID) -> Response:
        return Response(ProgressSerializer(self.special_on_show(offer_id)).data)


class AllProgressView(PublicRestaurantView):
    """The progress of all the restaurant's specials that are open or closed within the last hour,
    for pages that list them."""

    authentication_classes = []
    renderer_classes = [JSONRenderer]

    @extend_schema(responses=AllProgressSerializer)
    def get(self, request: Request) -> Response:
        now = clock.now()
        offers: Any = selectors.offers_being_watched(restaurant=self.restaurant, now=now)
        specials = {"specials": [Special(offer, now) for offer in offers]}
        return Response(AllProgressSerializer(specials).data)


class AvailableSpecialsView(PublicRestaurantView):
    """The open specials; for the restaurant's team, the specials on its dashboard."""

    restaurant_required = False
    refusals: ClassVar = {"GET": (ErrorCode.INVALID_CURSOR,)}

    @extend_schema(parameters=PAGES, responses=SpecialsSerializer)
    def get(self, request: Request) -> Response:
        now = clock.now()
        page = OfferPage([], None)
        if self.restaurant:
            page = _offer_page(self.restaurant, request, now=now, for_team=self.is_own)
        specials = {
            "specials": [Special(offer, now) for offer in page.offers],
            "nextCursor": page.next_cursor,
        }
        return Response(SpecialsSerializer(specials).data)


def _offer_page(
    restaurant: Restaurant, request: Request, *, now: datetime, for_team: bool
) -> OfferPage:
    return selectors.offer_page(
        restaurant=restaurant,
        now=now,
        for_team=for_team,
        cursor=request.query_params.get("cursor"),
        limit=read_limit(request, selectors.MAX_ROWS, selectors.MAX_ROWS),
    )


class RestaurantSpecialsView(PublicRestaurantView):
    """A restaurant's open specials, as a plain list; `Link` (RFC 8288) leads to the next page."""

    refusals: ClassVar = {"GET": (ErrorCode.INVALID_CURSOR,)}

    def restaurant_of_subject(self, request: Request) -> Restaurant | None:
        return active_restaurant_by_id(self.kwargs["restaurant_id"])

    @extend_schema(parameters=PAGES, responses=SpecialSerializer(many=True))
    def get(self, request: Request, restaurant_id: UUID) -> Response:
        if self.restaurant.pk != restaurant_id:
            raise NotFound("We couldn't find that restaurant. Check the link and try again.")
        now = clock.now()
        page = _offer_page(self.restaurant, request, now=now, for_team=False)
        specials: Any = [Special(offer, now) for offer in page.offers]
        response = Response(SpecialSerializer(specials, many=True).data)
        if page.next_cursor:
            query = request.query_params.copy()
            query["cursor"] = page.next_cursor
            response.headers["Link"] = f'<{request.path}?{query.urlencode()}>; rel="next"'
        return response


class DishesView(PublicRestaurantView):
    """The public regular menu."""

    restaurant_required = False

    @extend_schema(responses=DishesSerializer)
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
    refusals: ClassVar = {
        "POST": (ErrorCode.TOO_MANY_ATTEMPTS,),
    }

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

    @extend_schema(request=_picture_form("image"), responses={201: UploadedSerializer})
    def post(self, request: Request) -> Response:
        photo = self.uploaded(request)
        picture = {
            "url": images.photo_jpeg(photo),
            "srcset": images.photo_srcset(photo),
            "width": photo.width,
            "height": photo.height,
        }
        return Response(UploadedSerializer({"data": picture}).data, status=201)


class UploadFileView(_UploadView):
    """Upload a photo from the edit form, with the answer that form expects."""

    field = "file"

    @extend_schema(request=_picture_form("file"), responses={201: UploadedUrlSerializer})
    def post(self, request: Request) -> Response:
        answer = {"url": images.photo_jpeg(self.uploaded(request))}
        return Response(UploadedUrlSerializer(answer).data, status=201)
