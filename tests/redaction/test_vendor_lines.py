from tests.tables import for_each

from operators_edge.redaction.redact import redact

VALUE = "q8Zr4wVb2nXk7Lm1TdYs7Lm1Td"


@for_each(
    "name",
    [
        "datadog commit: ",
        'datadog pulled_images -- "',
        "datadog site-key = ",
        "datadog order id: ",
        "datadog for the orders in the branch  ",
        "datadog/fetched_by_us-",
        "datadog for each of the orders, as ever, the Checksum  = ",
    ],
)
def test_what_a_name_calls_content_stays(name: str) -> None:
    assert redact(f"{name}{VALUE}\n") == f"{name}{VALUE}\n"


@for_each(
    "text",
    [
        "github node id R_kgDOq8Zr4wVb PR_kwDOq8Zr4wVb2nX8",
        "youtube channel UCq8Zr4wVb2nXk7Lm1TdYs7Lm1 playlist PLq8Zr4wVb2nXk7Lm1TdYs7Lm1Tdq8Zr4w",
        "https://www.youtube.com/playlist?list=PLq8Zr4wVb2nXk7Lm1TdYs7Lm1Tdq8Zr4w",
        "airtable base appq8Zr4wVb2nXk7L table tblq8Zr4wVb2nXk7L",
        "salesforce contact 003q8Zr4wVb2nXk7Lm",
        "terraform run-q8Zr4wVb2nXk7Lm1 in ws-q8Zr4wVb2nXk7Lm1",
        "image registry.fly.io/app:deployment-01KQ8ZR4WVB2NXK7LM1TDYS7LM",
        "firebase appId: '1:428813920174:web:3f8a6c1e9b2d4e7f8a5c6d'",
        "spotify:track:q8Zr4wVb2nXk7Lm1TdYs7L",
        "opsgenie alert 3f8a6c1e-9b2d-4e7f-8a5c-6d1b2e3f4a5b-1754000000000",
        f"contentful entry {VALUE}",
        f"firebase uid {VALUE}",
    ],
)
def test_an_id_that_an_issuer_gives_stays(text: str) -> None:
    assert redact(text) == text


@for_each(
    "name",
    ["contentful token of entry ", "firebase key for the project: ", "heroku password, account "],
)
def test_what_is_called_a_key_goes_whatever_it_is_for(name: str) -> None:
    assert VALUE not in redact(f"{name}{VALUE}\n")


@for_each(
    "name",
    [
        "datadog ",
        "datadog key: ",
        'datadog.init("',
        "datadog for the orders in this shop ",
        "datadog has the branch, and for this shop ",
    ],
)
def test_a_random_value_behind_a_vendor_goes(name: str) -> None:
    assert VALUE not in redact(f"{name}{VALUE}\n")


# end of module
