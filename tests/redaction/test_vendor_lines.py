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
