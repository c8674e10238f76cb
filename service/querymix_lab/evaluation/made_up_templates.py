"""What made_up.py puts around an identifier, by kind, in the style of queries: written by hand, none of it real."""

from typing import Final

AROUND: Final[dict[str, tuple[str, ...]]] = {
    "name": (
        "{}",
        "{}",
        "{} {city}",
        "{} {city} {state}",
        "{} phone number",
        "{} obituary",
        "find {}",
        "who is {}",
        "{} myspace",
        "{} attorney",
        "{} arrested",
        "{} email address",
        "{} {state} address",
        "{} real estate agent",
        "pictures of {}",
        "{} high school reunion",
        "where does {} live",
        "{} family tree",
        "{} birth records",
        "{} wedding registry",
    ),
    "address": (
        "{}",
        "directions to {}",
        "map of {}",
        "{} home value",
        "who lives at {}",
        "house for sale {}",
        "restaurants near {}",
        "property taxes {}",
    ),
    "zip": ("{}", "weather {}", "pizza delivery {}", "jobs in {}", "movie times {}", "{} apartments for rent"),
    "date": (
        "born {}",
        "dob {}",
        "date of birth {}",
        "birth certificate {}",
        "who died {}",
        "my birthday {}",
        "born on {} where",
    ),
    "age": (
        "{} year old man fall",
        "aged {} nursing home",
        "my mother is {} years old",
        "{} yr old woman stroke",
        "turning {} party",
    ),
    "phone": (
        "{}",
        "who called from {}",
        "reverse lookup {}",
        "{} whose number is this",
        "fax {}",
        "call {}",
        "phone number {}",
    ),
    "email": ("{}", "email {}", "who is {}", "{} myspace", "password reset {}", "find {} owner"),
    "us_ssn": ("{}", "ssn {}", "social security number {}", "my social is {}", "{} identity theft", "credit report {}"),
    "medical": (
        "medical record number {}",
        "mrn {}",
        "patient id {} lab results",
        "mrn: {}",
        "chart number {}",
        "prescription number {} refill",
        "medical record {}",
    ),
    "plan": (
        "medicare number {}",
        "policy number {}",
        "member id {} claim",
        "health plan id {}",
        "insurance policy {}",
        "medicaid id {}",
        "group number {} dental",
    ),
    "account": (
        "account number {}",
        "checking account {} balance",
        "acct {}",
        "loan number {}",
        "iban {}",
        "my bank account is {}",
        "acct # {} overdraft",
    ),
    "card": ("{}", "credit card {}", "visa {}", "is {} a valid card number", "charge on {}", "card number {} stolen"),
    "licence": (
        "drivers license {}",
        "driver license number {}",
        "passport number {}",
        "license no {} check",
        "certificate number {}",
        "medical license {} verify",
    ),
    "vehicle": ("{}", "vin {}", "carfax {}", "vin number {} history", "check vin {}", "{} recall"),
    "plate": ("license plate {}", "plate number {}", "plate {} owner", "who owns license plate {}", "tag number {}"),
    "device": (
        "serial number {}",
        "serial no {} warranty",
        "imei {}",
        "sn {} lookup",
        "device serial {}",
        "mac address {}",
    ),
    "url": ("{}", "{} pictures", "http://{}", "www.{}", "go to {}"),
    "ip": ("{}", "ping {}", "whois {}", "trace {}", "who is {}", "ip address {}", "block {} firewall"),
    "photo": ("{}", "photo {}", "delete {} from camera", "recover {}"),
    "code": ("{}", "track {}", "tracking number {}", "ups {}", "fedex {}", "where is package {}", "confirmation {}"),
}
"""Query templates of each kind; `{city}` and `{state}` are not part of the identifier."""

CITIES: Final = ("columbus", "tulsa", "spokane", "fresno", "toledo", "omaha", "tampa", "el paso", "baton rouge")
STATES: Final = ("ohio", "oklahoma", "wa", "california", "fl", "texas", "louisiana", "new york", "nc")

FORMED: Final = frozenset(
    {"name", "address", "zip", "email", "card", "vehicle", "url", "ip", "photo", "us_ssn", "phone", "code"}
)
"""Kinds whose own form gives them away, so that a typing error around them must not matter."""
