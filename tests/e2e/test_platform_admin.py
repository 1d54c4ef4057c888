"""Staff at work in a browser: a user is created and deleted, and a restaurant suspended."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.stack import Stack
from tests.e2e.steps import sign_in

Visitor = Callable[..., Page]
STAFF = ("admin@demo.test", "demo-admin-1")


def test_staff_create_edit_and_delete_a_user_and_see_it_in_the_log(
    stack: Stack, visitor: Visitor
) -> None:
    page = visitor()
    sign_in(page, stack, STAFF)
    page.goto(stack.url("/platform-admin"))
    page.get_by_role("link", name="Add User").click()
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.get_by_role("button", name="Create User").click()
    expect(page.get_by_text("Validation Error")).to_be_visible()

    page.get_by_label("Name", exact=True).fill("Nina Neu")
    page.get_by_label("Email", exact=True).fill("nina.neu@example.test")
    page.get_by_label("Role").select_option("editor")
    page.get_by_role("button", name="Create User").click()
    expect(page.get_by_text("User created successfully")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("")

    page.get_by_role("button", name="Edit Nina Neu").click()
    expect(page.get_by_role("heading", name="Edit User")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Nina Neumann")
    page.get_by_role("button", name="Update User").click()
    expect(page.get_by_text("User updated successfully")).to_be_visible()

    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete Nina Neumann").click()
    expect(page.get_by_text("User deleted successfully")).to_be_visible()
    expect(page.get_by_role("button", name="Edit Nina Neumann")).to_be_hidden()

    page.get_by_role("button", name="Refresh").click()
    log = page.get_by_role("list", name="Log entries")
    expect(log).to_contain_text("Logs refreshed manually")
    expect(log).to_contain_text(re.compile("Account deleted"))
