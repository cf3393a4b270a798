"""Names of those who issue tokens, keys and passwords to programs: a random value behind one is a secret.

Owns names only; ``redaction.formats`` reads them. Several may stand in a line, all of them sorted. A name is
in lower case; ``-`` in it stands for ``-``, ``_``, ``.``, a space or nothing (``new-relic``: ``NEW_RELIC``,
``newrelic``). A name that is also a common word of programs (``square``, ``segment``, ``render``) belongs
here only with what tells it from the word (``square-access``).
"""

NAMES = """
1password
ably abstract-api abuse-ipdb abyssale accuweather adafruit adobe adobe-client adobe-io adzuna
aeris-weather aftership agora agora-app ai21 air-visual airbrake airship-key airtable aiven akamai
alchemy-api alchemy-key alconost aletheia algolia alibaba alienvault aliyun all-sports
alpha-vantage amadeus-api ambee amplitude-api amplitude-key anthropic anypoint api-deck api-flash
api-fonica api-layer api-matic api-metrics api-ninjas api-template api2cart apify apollo-io
app-cues app-dynamics app-follow app-synergy appcenter appoptics apptivo arcjet artifactory
artsy-api asana assembly-ai atera atlassian audd-io auth0 authy auto-klose avalara avaza
aviation-stack axiom-api axonaut aylien ayrshare azure
b2-application backblaze bannerbear bare-metrics baseten basis-theory beamer beamer-api beebole
best-buy-api betterstack bigcommerce billomat bing-maps bitbar bitbucket bitcoin-average bitfinex
bitgo bitly bitmex bitrise bittrex bitwarden blablabus blazemeter block-native blynk bombbomb
boostnote borgbase box-api box-client braintree branch-io brandfetch brevo bright-data browserbase
browserless browserstack browshot bscscan buddyns budibase bugherd bugsnag buildkite bunny-net
bunnycdn buttercms
caflou cal-com calendarific calendly calorie-ninja campayn canny-io capsulecrm carbon-interface
cartesia cartesia-api carto-api censys centralstation-crm cerebras cexio chargebee chargify
chart-mogul chatbot-api chatfuel checkly checkout-com checkr-api checkvist chromatic-project
cicero-api cielo-api circleci cisco cisco-meraki civo civo-token clarifai clay-api clay-key
clay-token clearbit clearout clerk-secret click-send clickhouse clickup clinchpad clockify
clockwork-sms close-crm cloud-convert cloudant cloudflare cloudinary cloudmersive cloudplan
cloudsight cloudsmith cloudways cockroach-cloud cockroachdb cockroachlabs codacy code-climate
codecov codemagic codesandbox cohere coin-market-cap coinapi coinbase coingecko coinlayer coinlib
cometchat commercejs composio configcat confluence confluent contentful contentstack convert-api
convertkit copyscape couchbase courier-auth coveralls crowdin crypto-compare currencycloud
currencyfreaks currencylayer customer-io cypress-record
d7-network daily-co dandelion-token data-dog databento databricks datagov datarobot datastax
deepai deepgram deepl deepseek delighted-api dependency-track detect-language detectify devcycle
deviantart dfuse diffbot digicert digital-ocean discogs discord disqus docker-hub docparser
docusign doppler dotdigital dovico dribbble drift-token drone-ci drone-token dropbox duffel
duo-ikey duo-skey dwolla dyn-api dynadot dynalist dynatrace dyspatch
easyinsight easypost ebay edamam edenai elastic-email elevenlabs enablex endorlabs enphase
epic-games equinix eraser-io etherscan ethplorer etsy eventbrite everhour eversign exa-api
exchangerate-api exchangeratesapi exoscale expo-token
facebook faceplusplus fal-key falai fastforex fastly fastspring fb-app feedier feedly fetchrss
figma filestack finage financial-modeling-prep finicity finnhub firebase firecrawl fireworks-ai
fireworksai fixer-io flagsmith fleetbase flickr flightapi flightstats flowdock flutterwave fly-io
fmfw forest-admin forestadmin foursquare frameio freshbooks freshdesk freshsales freshservice
fullcontact fullstory fusebill
gcnotify geckoboard gemfury gemini-api gemstash genesys gengo geoapify geocodify geocodio
getresponse getty-images ghost-admin giphy gitea github gitlab gitter glassnode gocanvas
gocardless godaddy goldsky goodday google-api google-client google-maps google-oauth gosquared
grafana graphcms graphhopper greptile groovehq groq gtmetrix guardian-api gumroad gyazo
harness-io hashicorp hasura hcaptcha heap-io helicone helio hellosign helpcrunch helpscout
here-api heroku hetzner hightouch hive-os hiveage holidayapi honeybadger honeycomb huawei hubspot
huggingface hunter-io hypeauditor hypertrack
ibm-api ibm-cloud iconfinder iexapis iexcloud imagekit imagga imgix imgur impact-com influxdb
infobip infomaniak infracost infura inngest insightly instabot instagram instana instantly-api
integromat intercom intrinio ipapi ipdata ipgeolocation ipify ipinfo ipquality ipstack ironcore
iterable
jamf jenkins jfrog jina-ai jira jotform jsonbin jumpcloud jumpseller juspay
kaggle kagi kagi-api kairos kairos-api kakao kaleyra kanbantool karmacrm keen-io keycloak
keygen-sh kickbox kimi-api kinde-client kite-connect klarna klaviyo klingai klipfolio knapsack
kontent-ai kraken kraken-api kucoin kylas
lacework langchain langfuse langsmith lark-app lastfm launchdarkly leadfeeder lemlist lemonsqueezy
lendflow lessannoyingcrm lexigram lichess liftigniter lighton lightstep line-channel linear-api
linked-in linkpreview linode liveagent liveblocks livekit livestorm llamaindex lob-api localstack
locationiq logdna loggly loginradius logrocket logz-io lokalise looker looker-client loops-so
loyverse lunchmoney luno-api
m3o magicbell mailboxlayer mailchimp mailerlite mailersend mailgun mailjet mailmodo mailsac
mailtrap mandrill mapbox mapquest mattermost mavenlink maxmind mediastack meilisearch meistertask
memsource meraki mercado-pago mercury-api mesibo message-bird messari metaapi metabase metrilo
microsoft-teams mindmeister minimax miro miro-client mistral mixmax mixpanel mockaroo modal-token
mollie momento-auth monday-api mongodb monkeylearn moonclerk moonshot-api moosend moralis
mparticle mulesoft mux-token
nango nasa nasa-api nasdaq-data neo4j neon-api nessus nethunt netlify netsuite new-relic
new-york-times newsapi newscatcher nexmo ngrok nicehash nicereply nightfall nitro-pay notion
notion-api notion-key notion-token novu npm-token nubela nuget numverify nutritionix nvidia
nvidia-api nxcloud nylas nytimes
oanda octopus-deploy okta omnisend onelogin onepagecrm onesignal onfido onwater oopspam openai
opencage opendatasoft opengraph-io openrouter opensea openuv openweather opsgenie optimizely
orbit-love outreach-io ovh owlbot
packagecloud packagist paddle-api pagerduty pandadoc pandascore paperform pardot parsehub parseur
particle-io partnerstack passbase pastebin paydirt paymo paymongo paypal paystack payu pdflayer
pdfshift pendo pendo-io pepipost percy-token perplexity perplexity-api personio pexels pinata
pinecone ping-identity pingdom pinterest pipedream pipedrive pivotaltracker pixabay plaid
planetscale planviewleankit planyo plivo podio-client poloniex polygon-io polymarket positionstack
postageapp posthog postman postmark powrbot pplx prefect printful private-ai prodpad pubnub pulumi
pure-stake pushbullet pusher pushover pyowm
qase quaderno qualaroo qualtrics qubole quickbase quickbooks quicknode
railway-token rainforestpay rapidapi razorpay readme-io rebrandly recaptcha recurly redash
redbooth redis-labs refiner-io rejoiner render-api rentman repairshopr replicate-api replit
resend-api retell retool revampcrm revenuecat ringcentral riot-games ritekit rocketreach rockset
rollbar rootly route4me rubygems rudderstack runpod runrunit runscope
saladcloud salesblink salesflare salesforce salesloft salesmate samsara sanity-api sanity-token
satismeter sauce-access saucelabs scaleway scalingo scalr scrapeowl scraperapi scraperbox
scrapestack scrapfly scrapingant scrapingbee scrapingdog screenshotapi screenshotlayer scrutinizer
seatgeek securitytrails segment-write selectpdf sellfy semaphoreci sendbird sendgrid sendinblue
sendoso sentry serpapi serphouse serpstack servicenow sharefile sheety shipday shippingeasy shippo
shodan shopify shortcut-api shotstack shutterstock sidekiq signable signalfx signalwire signaturit
signifyd sigopt siliconflow simfin simplesat simplybook simvoly sinch sirv siteleaf skrappio slack
smartling smartsheet smartystreets smooch smsapi snipcart snowflake snyk solarwinds sonar-login
sonar-token sonarcloud sonarqube soundcloud sourcegraph sparkpost speechmatics splunk splunk-hec
spoonacular sportmonks sportradar spotify sqreen square-access square-up squarespace sslmate
stabilityai stackhawk statsig statuscake statuspage statuspal stitchdata stockdata stormglass
storyblok storychief strava streamchat stripe stytch sumo-logic supabase supportbee surge-api
surveybot surveymonkey surveysparrow survicate svix swiftype symantec
tableau taboola tailscale tatum-io tavily tavus taxjar teamcity teamgate teamviewer teamwork-desk
telegram telesign telnyx temporal-cloud tencent tencent-cloud terraform textmagic thingsboard
thinkific thousandeyes thycotic ticketmaster tickettailor tiingo timecamp timekit todoist
together-ai toggl tolgee tomorrow-io tomtom tradier transferwise travelpayouts travis-ci
travis-token trello trigger-dev truelayer truenas tumblr turso twelvedata twilio twitch twitter
tyntec typeform typetalk
uber-server ubidots ultradns unifi unify-id unkey unleash-api unplugg unsplash uplead uploadcare
upstage-api upstash uptimerobot upwave urlscan userflow userstack usps-api
vapi vapi-api vast-ai vastai vatlayer vbout vercel verifone verimail veriphone versioneye viewneo
vimeo virustotal visualcrossing vkontakte voiceflow voicegain vonage vouchery voyage-ai vpnapi
vultr vultr-api
wakatime walkscore wandb weatherapi weatherbit weatherstack webengage webex webflow webscraper
websitepulse wechat weights-and-biases wepay whoxy wistia wit-ai wiz-client woocommerce woopra
wordsapi workos worksnaps wpengine wrike
xai xai-api xata xendit xero-client
yandex yelp yelp-api yelp-fusion yext youneedabudget yousign youtube youtube-api yubico
zapier zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce zerotier zhipu zipbooks
zipcodeapi zipcodebase zoho zohocrm zoom-api zoom-client zoominfo zulip zuora zuplo
"""

# end of module
