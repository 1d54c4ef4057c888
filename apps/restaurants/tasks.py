"""Celery tasks of restaurants: invitation emails and nightly purges."""

from typing import Any
from uuid import UUID

from celery import shared_task

from apps.common import clock, rls
from apps.restaurants import emails as restaurants_emails
from apps.restaurants.models import Restaurant, SupportVisit
from apps.restaurants.services import addresses, onboarding, own_domains, plans, team

EMAIL_TASK: dict[str, Any] = {
    "time_limit": 60,
    "autoretry_for": (OSError,),  # smtplib's errors are OSErrors too
    "retry_backoff": 5,
    "max_retries": 8,
}


@shared_task(name="restaurants.send_invitation", **EMAIL_TASK)
def send_invitation_task(invitation_id: str, token: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        invitation = team.open_invitation(UUID(invitation_id), now=clock.now())
        if invitation:
            restaurants_emails.send_invitation_email(invitation, token=token)


@shared_task(name="restaurants.send_owner_changed", **EMAIL_TASK)
def send_owner_changed_task(restaurant_id: str, to: str, owner: str, what: str, by: str) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    restaurants_emails.send_owner_changed_email(restaurant, to=to, owner=owner, what=what, by=by)


@shared_task(name="restaurants.send_role_changed", **EMAIL_TASK)
def send_role_changed_task(restaurant_id: str, to: str, what: str, by: str) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    restaurants_emails.send_role_changed_email(restaurant, to=to, what=what, by=by)


@shared_task(name="restaurants.send_support_visit", **EMAIL_TASK)
def send_support_visit_task(visit_id: str, to: str, what: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        visit = SupportVisit.objects.select_related("restaurant").get(pk=visit_id)
        restaurants_emails.send_support_visit_email(visit, to=to, what=what)


@shared_task(name="restaurants.send_closed", **EMAIL_TASK)
def send_closed_task(restaurant: str, to: str) -> None:
    restaurants_emails.send_closed_email(restaurant, to=to)


@shared_task(name="restaurants.send_suspended", **EMAIL_TASK)
def send_suspended_task(restaurant_id: str, to: str, reason: str, canceled: bool) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    restaurants_emails.send_suspended_email(restaurant, to=to, reason=reason, canceled=canceled)


@shared_task(name="restaurants.send_restored", **EMAIL_TASK)
def send_restored_task(restaurant_id: str, to: str) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    restaurants_emails.send_restored_email(restaurant, to=to)


@shared_task(name="restaurants.send_plan_changed", **EMAIL_TASK)
def send_plan_changed_task(restaurant_id: str, to: str) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    restaurants_emails.send_plan_changed_email(restaurant, to=to)


@shared_task(name="restaurants.send_own_domain", **EMAIL_TASK)
def send_own_domain_task(restaurant_id: str, to: str, host: str, what: str) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    with rls.acting_as(restaurant):
        restaurants_emails.send_own_domain_email(restaurant, to=to, host=host, what=what)


@shared_task(name="restaurants.check_domains", time_limit=60)
def check_domains_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        for domain_id in own_domains.domains_to_check(now=clock.now()):
            check_domain_task.delay(str(domain_id))


@shared_task(name="restaurants.check_domain", time_limit=60)
def check_domain_task(domain_id: str) -> None:
    with rls.acting_as(rls.PLATFORM):
        own_domains.check_domain(domain_id=UUID(domain_id), now=clock.now())


@shared_task(name="restaurants.send_contact_changed", **EMAIL_TASK)
def send_contact_changed_task(restaurant_id: str, to: str) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    restaurants_emails.send_contact_changed_email(restaurant, to=to)


@shared_task(name="restaurants.send_contact_confirmation", **EMAIL_TASK)
def send_contact_confirmation_task(restaurant_id: str, to: str, token: str) -> None:
    restaurant = Restaurant.objects.get(pk=restaurant_id)
    restaurants_emails.send_contact_confirmation(restaurant, to=to, token=token)


@shared_task(name="restaurants.end_old_addresses", time_limit=60)
def end_old_addresses_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        addresses.end_old_addresses(now=clock.now())


@shared_task(name="restaurants.turn_months", time_limit=60)
def turn_months_task() -> None:
    with rls.acting_as(rls.PLATFORM):
        plans.carry_out_plan_changes(now=clock.now())
    onboarding.turn_months(now=clock.now())
