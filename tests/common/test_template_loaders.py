from pathlib import Path

import pytest
from django.template import Context, Engine, TemplateSyntaxError


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    loader = "apps.common.template_loaders.FilesystemLoader"
    return Engine(dirs=[str(tmp_path)], loaders=[loader])


def test_html_keeps_its_lines_and_loses_its_indentation(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "page.html").write_text(
        "<ul>\n  {% if True %}\n\t<li>a  b</li>\n  {% endif %}\n</ul>\n"
    )
    page = engine.get_template("page.html").render(Context())
    assert page == "<ul>\n\n<li>a  b</li>\n\n</ul>\n"


def test_what_is_filled_in_keeps_its_indentation(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "page.html").write_text("  <p>{{ note }}</p>")
    page = engine.get_template("page.html").render(Context({"note": "No nuts:\n  walnuts"}))
    assert page == "<p>No nuts:\n  walnuts</p>"


def test_a_plain_text_keeps_its_indentation(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "email.txt").write_text("Your order:\n  2 portions\n")
    assert engine.get_template("email.txt").render(Context()) == "Your order:\n  2 portions\n"


def test_an_error_names_the_line_of_the_file(tmp_path: Path, engine: Engine) -> None:
    engine.debug = True
    (tmp_path / "page.html").write_text("<ul>\n\n    {% unknown %}\n</ul>")
    with pytest.raises(TemplateSyntaxError) as raised:
        engine.get_template("page.html")
    assert raised.value.template_debug["line"] == 3  # type: ignore[attr-defined]
