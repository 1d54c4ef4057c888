"""The page where an owner chooses their notices."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from apps.accounts.models import User
from apps.common import clock
from apps.common.versions import EditedMeanwhile
from apps.preorders.core.notices import (
    notice_preference,
    preference_version,
    save_notice_preference,
)
from apps.preorders.core.push_keys import public_key
from apps.preorders.manage.forms import NoticesForm
from apps.preorders.models import NoticePreference
from apps.preorders.models.states import NoticeKind
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

SAVED = "Your notices are saved."


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@member_page(Permission.MANAGE)
def notices(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Which emails about specials this owner gets, and their quiet hours."""
    assert isinstance(request.user, User)  # member_page
    restaurant, status = membership.restaurant, 200
    if request.method == "POST":
        form = NoticesForm(request.POST)
        if form.is_valid():
            chosen: dict[str, Any] = form.cleaned_data
            try:
                save_notice_preference(
                    restaurant=restaurant,
                    user=request.user,
                    wanted={NoticeKind(kind) for kind in chosen["wanted"]},
                    quiet_from=chosen["quiet_from"],
                    quiet_until=chosen["quiet_until"],
                    version=chosen["version"],
                    now=clock.now(),
                )
            except EditedMeanwhile as refusal:
                preference = notice_preference(restaurant, request.user)
                form = form.over(_stored(preference), preference_version(preference))
                status = refusal.status
            else:
                messages.success(request, SAVED)
                return redirect("notices")
        else:
            status = 400
    else:
        preference = notice_preference(restaurant, request.user)
        version = preference_version(preference)
        form = NoticesForm(initial={**_stored(preference), "version": version})
    context = {
        "restaurant": restaurant,
        "form": form,
        "kinds": NoticeKind.choices,
        "push_key": public_key(),
    }
    return render(request, "preorders/notices.html", context, status=status)


def _stored(preference: NoticePreference) -> dict[str, Any]:
    return {
        "wanted": [kind.value for kind in NoticeKind if getattr(preference, kind)],
        "quiet_from": f"{preference.quiet_from:%H:%M}",
        "quiet_until": f"{preference.quiet_until:%H:%M}",
    }
