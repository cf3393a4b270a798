"""Files that must survive a crash, in the project and in the person's folder: locks, journal, registry, keys.

Others import ``files`` (locks, durable writes), ``journal`` (write-ahead records), ``registry`` (live
grants), ``bindings`` (sessions), ``keys`` (signatures) and ``transport`` (port and token of the http
transport).
"""
