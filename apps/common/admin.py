"""Base class of the staff's data pages, which are Django's admin made read-only (decision 90).

They show every row and write none: there is no form to add, change, or delete anything. What staff
can do about a row is an action of its page, which calls one of our services. A list costs the same
however large the table is: it counts at most `MOST_COUNTED` rows and sorts only by the primary key
or, within one restaurant, by an index.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.utils import display_for_field, unquote
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.core.paginator import Paginator
from django.db.models import DateTimeField, Field, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.views.decorators.http import require_POST, require_safe

from apps.common import clock
from apps.common.errors import DomainError
from apps.common.stripe_links import dashboard_url

MOST_COUNTED = 10_000
# Columns that are never shown, in any table: a new one with such a name stays hidden automatically.
SECRET_NAME = re.compile(
    r"password|secret|token|digest|fingerprint|session_key|session_data|checkout_url|action_url"
    r"|stripe_data|(^|_)key$|^data$|^body$|^headers$|origin_"
)
_WHOLE_VALUES = ("", "exact", "id", "isnull")


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts no more rows than `MOST_COUNTED`; further ones are found by searching."""

    most_counted = MOST_COUNTED

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]
        return rows.order_by()[:MOST_COUNTED].count()


@dataclass(frozen=True, slots=True)
class StaffAction:
    """Something staff can do about a row, carried out by one of our services.

    `run` takes the row, who acts, the reason they gave, and the time, and returns what it did as a
    sentence; it may raise a DomainError. `can_run` says for which rows it is offered.
    """

    name: str
    label: str
    explanation: str
    run: Callable[[Any, Any, str, datetime], str]
    can_run: Callable[[Any], bool] = lambda row: True
    needs_reason: bool = False


def plural_of(names: Any) -> str:
    """The plural that the model declares, otherwise the English plural of its name."""
    noun, plural = str(names.verbose_name), str(names.verbose_name_plural)
    if plural != f"{noun}s":
        return plural
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith(("ss", "sh", "ch", "x")):
        return f"{noun}es"
    return noun if noun.endswith("s") else plural


def moment(value: datetime | None) -> str:
    """A time as staff read it everywhere on these pages, sortable by eye and with its zone."""
    return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if value else "–"


def _listed(value: list[Any] | dict[str, Any]) -> str | SafeString:
    """Plain values on one line, names with their values on a line each, and anything deeper as
    JSON."""
    inner = value.values() if isinstance(value, dict) else value
    if not all(isinstance(each, str | int | float) for each in inner):
        return format_html("<pre>{}</pre>", json.dumps(value, indent=2, default=str))
    if isinstance(value, dict):
        return format_html_join(mark_safe("<br>"), "{}: {}", value.items())
    return ", ".join(map(str, value))


class _TimeColumn:
    """A column of a list with a time."""

    def __init__(self, field: Any) -> None:
        self.__name__ = field.name  # names the header's class
        self.short_description = field.verbose_name

    def __call__(self, row: Any) -> str:
        return moment(getattr(row, self.__name__))


class StaffModelAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """The pages of one table."""

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50
    list_max_show_all = 0
    sortable_by = ()
    show_facets = admin.ShowFacets.NEVER
    actions = None
    ordering = ("-pk",)
    # Besides the columns that `SECRET_NAME` matches.
    hidden: ClassVar[tuple[str, ...]] = ()
    # Columns that hold an id of Stripe's, and the section of its dashboard that shows the object.
    stripe_columns: ClassVar[Mapping[str, str]] = {}
    # Columns that aren't shown as they are stored, and the function that says their value in words.
    in_words: ClassVar[Mapping[str, Callable[[Any], str]]] = {}
    # Rows of other tables that belong to a row: the model's label and its column.
    related: ClassVar[tuple[tuple[str, str], ...]] = ()
    staff_actions: ClassVar[tuple[StaffAction, ...]] = ()
    # Columns that hold the id of another row without a foreign key; lists can be filtered by them.
    linked: ClassVar[tuple[str, ...]] = ()
    # The order of one restaurant's rows, if an index has it.
    ordering_in_restaurant: ClassVar[tuple[str, ...]] = ()

    # --- what is allowed: reading, for whoever the site lets in -----------------------------------
    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow only links and filters by whole values: a filter by part of a secret column would
        let somebody guess the rest."""
        name, _, kind = lookup.partition("__")
        named = {each for each in self.list_filter if isinstance(each, str)}
        named |= self._foreign_keys() | set(self.linked)
        return name in named and kind.rpartition("__")[2] in _WHOLE_VALUES

    # --- addresses --------------------------------------------------------------------------------
    def get_urls(self) -> list[URLPattern]:
        """A list, a page for each row, and its actions; none of the admin's forms."""
        view, name = self.admin_site.admin_view, f"{self.opts.app_label}_{self.opts.model_name}"
        urls = [path("", require_safe(view(self.changelist_view)), name=f"{name}_changelist")]
        if self.staff_actions:
            urls.append(
                path(
                    "<path:object_id>/do/<slug:action>",
                    require_POST(view(self.carry_out)),
                    name=f"{name}_action",
                )
            )
        page = require_safe(view(self.row_page))
        return [*urls, path("<path:object_id>/", page, name=f"{name}_change")]

    # --- the list ---------------------------------------------------------------------------------
    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        named = {"tables": capfirst(plural_of(self.opts)), **(extra_context or {})}
        answer: HttpResponse = super().changelist_view(request, named)
        return answer

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """The columns of a list. Times name their zone, which Django's own columns don't."""
        times = {each.name for each in self.opts.concrete_fields if isinstance(each, DateTimeField)}
        return [
            _TimeColumn(self.opts.get_field(each)) if each in times else each
            for each in super().get_list_display(request)
        ]

    def get_ordering(self, request: HttpRequest) -> Any:
        if self.ordering_in_restaurant and "restaurant" in request.GET:
            return self.ordering_in_restaurant
        return self.ordering

    def get_list_select_related(self, request: HttpRequest) -> Any:
        shown = self.get_list_display(request)
        return [each for each in shown if isinstance(each, str) and each in self._foreign_keys()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer(*self._hidden_columns())

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The rows in which one of `search_fields`, which can name a lookup, has the whole term."""
        term = search_term.strip().replace("\x00", "")
        if not term:
            return queryset, False
        found = Q(pk__in=[])
        for lookup in self.search_fields:
            try:
                found |= Q(**{lookup: self._as_value(lookup, term)})
            except (ValidationError, ValueError):
                continue  # not a value of this column, such as a name where an id is stored
        return queryset.filter(found), False

    def _as_value(self, lookup: str, term: str) -> Any:
        if "__" in lookup:
            return term
        field = self.opts.get_field(lookup)
        assert isinstance(field, Field)
        return field.to_python(term)

    # --- a row ------------------------------------------------------------------------------------
    def row_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self._row(request, object_id)
        # The staff site reads this for the activity log.
        request.visited_restaurant_id = getattr(row, "restaurant_id", None)  # type: ignore[attr-defined]
        context = {
            **self.admin_site.each_context(request),
            "title": capfirst(str(row)),
            "opts": self.opts,
            "tables": capfirst(plural_of(self.opts)),
            "fields": [
                (capfirst(str(field.verbose_name)), self.shown(field, row))
                for field in self.opts.concrete_fields
                if field.name not in self._hidden_columns()
            ],
            "page_links": self.page_links(row),
            "related": self._related_links(row),
            "staff_actions": [
                (each, self._url("action", row.pk, each.name))
                for each in self.staff_actions
                if each.can_run(row)
            ],
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/row.html", context)

    def carry_out(self, request: HttpRequest, object_id: str, action: str) -> HttpResponse:
        """Carry out an action; its service decides again whether it is possible."""
        row = self._row(request, object_id)
        found = next((each for each in self.staff_actions if each.name == action), None)
        if found is None or not found.can_run(row):
            raise Http404
        reason = request.POST.get("reason", "").strip()[:255]
        if found.needs_reason and not reason:
            messages.error(request, "Enter a reason. It's saved with the action.")
        else:
            try:
                messages.success(request, found.run(row, request.user, reason, clock.now()))
            except DomainError as refusal:
                first = refusal.fields[0].message if refusal.fields else refusal.message
                messages.error(request, first)
        is_there = self.get_queryset(request).filter(pk=row.pk).exists()
        return HttpResponseRedirect(
            self._url("change", row.pk) if is_there else self._url("changelist")
        )

    def shown(self, field: Any, row: Any) -> str | SafeString:
        """A column's value as the page shows it."""
        value = field.value_from_object(row)
        if value in (None, "") or (isinstance(value, (list, dict)) and not value):
            return "–"
        if field.is_relation:
            return self._relation(field, row, value)
        if field.choices:
            return str(dict(field.flatchoices).get(value, value))
        if field.name in self.in_words:
            return self.in_words[field.name](value)
        if isinstance(value, bool):
            return "Yes" if value else "No"
        if isinstance(value, datetime):
            return moment(value)
        if isinstance(value, (list, dict)):
            return _listed(value)
        section = self.stripe_columns.get(field.name)
        if section and (url := dashboard_url(section, value, account=self.stripe_account(row))):
            return format_html('<a href="{}" rel="noreferrer">{}</a>', url, value)
        return str(display_for_field(value, field, "–"))

    def page_links(self, row: Any) -> Sequence[tuple[str, str]]:
        """Our own pages about a row: label and address."""
        return ()

    def stripe_account(self, row: Any) -> str:
        """The connected account that a row's Stripe objects belong to; empty for the platform's."""
        return ""

    def _row(self, request: HttpRequest, object_id: str) -> Any:
        rows = self.get_queryset(request).select_related(*self._foreign_keys())
        try:
            return rows.get(pk=self.opts.pk.to_python(unquote(object_id)))
        except (ObjectDoesNotExist, ValidationError, ValueError):
            raise Http404 from None

    def _relation(self, field: Any, row: Any, key: Any) -> str | SafeString:
        model = field.related_model
        if not self.admin_site.is_registered(model):
            return str(key)
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
        return format_html(
            '<a href="{}">{}</a>', reverse(name, args=[key]), getattr(row, field.name)
        )

    def _related_links(self, row: Any) -> Sequence[tuple[str, str]]:
        links = []
        for label, column in self.related:
            app, model = label.lower().split(".")
            registered = {each._meta.label_lower: each for each in self.admin_site._registry}
            if f"{app}.{model}" in registered:
                name = plural_of(registered[f"{app}.{model}"]._meta)
                address = reverse(f"admin:{app}_{model}_changelist")
                links.append((capfirst(name), f"{address}?{column}={row.pk}"))
        return links

    def _url(self, page: str, *args: Any) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}", args=args)

    def _foreign_keys(self) -> set[str]:
        return {each.name for each in self.opts.concrete_fields if each.is_relation}

    def _hidden_columns(self) -> set[str]:
        secret = {each.name for each in self.opts.concrete_fields if SECRET_NAME.search(each.name)}
        return secret | set(self.hidden)
