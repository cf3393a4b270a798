"""Files that must survive a crash, in the project and in the person's folder.

Others import ``files`` (locks, durable writes), ``journal`` (write-ahead records), ``log`` (the proof log),
``segments`` (positions in it), ``verify`` (its chain), ``archive`` (finished work), ``registry`` (live
grants), ``bindings`` (sessions), ``keys`` (signatures) and ``transport`` (port and token of the http
transport).
"""

# end of module
