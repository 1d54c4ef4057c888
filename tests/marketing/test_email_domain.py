"""The check of a sending domain's zone file."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.common.errors import Invalid
from apps.marketing.email_domain import Finding, check_zone

HEAD = "$ORIGIN restaurants.example.\n$TTL 300\n@ IN SOA ns hostmaster 1 2 3 4 5\n@ IN NS ns\n"
SPF = '@ IN TXT "v=spf1 include:spf.service.example ~all"\n'
DKIM = "s1._domainkey IN CNAME s1.dkim.service.example.\n"
DMARC = '_dmarc IN TXT "v=DMARC1; p=reject; rua=mailto:dmarc@restaurants.example"\n'


def check(records: str) -> list[Finding]:
    return check_zone(
        HEAD + records,
        domain="restaurants.example",
        selectors=["s1"],
        includes=["spf.service.example"],
    )


def test_a_zone_with_all_three_is_fine() -> None:
    found = check(SPF + DKIM + DMARC + '@ IN TXT "another=record"\n')
    assert [(each.level, each.subject) for each in found] == [
        ("ok", "SPF"),
        ("ok", "DKIM"),
        ("ok", "DMARC"),
    ]


def test_an_empty_zone_says_what_to_add() -> None:
    assert [(each.level, each.what) for each in check("")] == [
        ("wrong", 'Add a TXT record at the domain: "v=spf1 include:spf.service.example ~all".'),
        ("wrong", "Add the record that the service gave for s1._domainkey."),
        ("wrong", 'Add a TXT record at _dmarc: "v=DMARC1; p=none".'),
    ]


@pytest.mark.parametrize(
    ("records", "says"),
    [
        ('@ IN TXT "v=spf1 ~all"\n', "Add include:spf.service.example to the SPF record."),
        (SPF + '@ IN TXT "v=spf1 -all"\n', "Combine the SPF records: there can be only one."),
        (SPF.replace("~all", "+all"), '"+all" lets anybody send.'),
        (SPF.replace(" ~all", ""), 'End the record with "~all".'),
        (SPF.replace("~all", "a " * 10 + "~all"), "Use fewer terms"),
        ('s1._domainkey IN TXT "v=DKIM1; p="\n', "its key is empty"),
        ('_dmarc IN TXT "v=DMARC1; p=maybe"\n', "Set p to none, quarantine or reject."),
        (DMARC + '_dmarc IN TXT "v=DMARC1; p=none"\n', "Keep one DMARC record"),
        ('_dmarc IN TXT "v=DMARC1; p=none"\n', "Add rua=mailto:"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(records: str, says: str) -> None:
    assert says in " ".join(each.what for each in check(records))


def test_a_key_in_several_strings_counts_as_one() -> None:
    found = check(SPF + 's1._domainkey IN TXT "v=DKIM1; k=rsa; p=MIGf" "MA0G"\n' + DMARC)
    assert [each.level for each in found] == ["ok", "ok", "ok"]


def test_a_file_that_is_no_zone_is_refused() -> None:
    with pytest.raises(Invalid, match="We couldn't read this zone file"):
        check("this is ( no zone")


def test_the_command_says_all_of_it_and_fails_if_something_is_wrong(tmp_path: Path) -> None:
    zone = tmp_path / "zone.txt"
    zone.write_text(HEAD + SPF + DKIM + DMARC)
    said = StringIO()
    options = {"zone": str(zone), "selector": ["s1"], "include": ["spf.service.example"]}
    call_command("check_email_domain", "restaurants.example", stdout=said, **options)
    assert "The SPF record is fine." in said.getvalue()
    zone.write_text(HEAD + SPF)
    with pytest.raises(CommandError, match="2 things to fix") as failure:
        call_command("check_email_domain", "restaurants.example", stdout=said, **options)
    assert failure.value.returncode == 3
    with pytest.raises(CommandError):
        call_command("check_email_domain", "x.example", zone=str(tmp_path / "none"), stdout=said)
