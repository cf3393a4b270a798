"""Names of those who issue tokens, keys and passwords to programs: a random value behind one is a secret.

Owns names only; ``redaction.formats`` reads them. Several may stand in a line, all of them sorted. A name is
in lower case; ``-`` in it stands for ``-``, ``_``, ``.``, a space or nothing (``new-relic``: ``NEW_RELIC``,
``newrelic``). A name that is also a common word of programs (``square``, ``segment``, ``render``) belongs
here only with what tells it from the word (``square-access``).
"""

NAMES = """
adafruit airtable algolia asana atlassian
bitbucket buildkite
cloudflare codecov contentful
databricks datadog digitalocean discord doppler dropbox
fastly
github gitlab grafana
heroku hubspot
jira
linear-api
mailchimp mailgun mapbox
netlify new-relic
okta openai
pagerduty planetscale postman pulumi
sendgrid sentry shopify snyk sonarqube stripe
telegram terraform twilio twitch
vercel
zendesk
"""

# end of module
