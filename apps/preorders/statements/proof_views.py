"""The public page that proves an order's place in the ledger; for whoever has the order's id."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.common import rls
from apps.offers.sold_dishes import dish_sold
from apps.preorders.statements.proof import following, proof_of
from apps.restaurants.middleware import tenant_of


@require_safe
@never_cache
def proof_page(request: HttpRequest, order_id: UUID) -> HttpResponse:
    """404 for an order without ledger entries, and on another restaurant's host."""
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        proof = proof_of(order_id)
        if proof is None:
            raise Http404
        order = proof.order
        sold = dish_sold(order.sold, alternative=order.serves_alternative, pictured=True)
        context = {"proof": proof, "sold": sold, "restaurant": tenant_of(request)}
        return render(request, "preorders/statements/proof.html", context)


@require_safe
@never_cache
def proof_chain(request: HttpRequest, order_id: UUID) -> HttpResponse:
    """The digests from the order's first entry on, as JSON."""
    with rls.acting_as(tenant_of(request) or rls.PLATFORM):
        proof = proof_of(order_id)
        rows = list(following(order_id))
    if proof is None:
        raise Http404
    before = next((each.before for each in proof.entries if each.position), "")
    return JsonResponse(
        {"before": before, "entries": rows, "length": proof.length, "head": proof.head}
    )
