"""The views of the dashboard, a module each: ``show`` reads a project and returns the view as HTML."""

# end of module
