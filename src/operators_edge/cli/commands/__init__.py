"""One module per command or group of commands; ``cli.nouns`` lists them."""

# end of module
