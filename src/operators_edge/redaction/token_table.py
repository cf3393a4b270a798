"""Kinds of tokens that can be known by their look: what issuers and public rule sets say about them, as data.

Owns facts only; ``redaction.formats`` reads them. A row is KIND SHAPE NEAR SOURCE, separated by spaces:

KIND    what stands in the mark, ``[REDACTED:github]``: the issuer, and what it is when there are several.
        A kind may have several rows.
SHAPE   the token's look. Letters and signs stand for themselves, and case counts. ``{CLASS:LENGTH}`` is a
        run that is random: CLASS is one of ``formats.CLASSES`` or signs in brackets
        (``{[A-Z2-7]:16}``), LENGTH is ``36``, ``20-60`` or ``20+``. ``(a|b)`` is one of several literal
        texts, not at the beginning. What is not secret stands outside ``<`` and ``>``:
        ``https://hooks.example.com/<T{upnum:8-12}/{alnum:24}>``; without them all of it is.
NEAR    ``-`` when the literal text that the shape begins with is unmistakable: four signs or more, or three
        with one of ``_-.``. Else words, in lower case and separated by commas, one of which has to stand
        before the token in its line (an issuer's name, a part of a variable's name).
SOURCE  where the fact is from: ``gitleaks``, ``kingfisher``, ``secretlint``, ``detect-secrets``, ``github``
        (its list of secret scanning patterns), or the host of the issuer's documentation.

The lengths are those of the sources. A run at the end of a shape may be longer in a text: an issuer that
makes its tokens longer is still met. A row needs no checksum: what has the look is hidden.
"""

from __future__ import annotations

ROWS = """
1password-service   ops_eyJ{b64:200+}                                    -                     gitleaks
age                 AGE-SECRET-KEY-1{[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]:58} -                  age-encryption.org
algolia             {lownum:32}                                          algolia               gitleaks
anthropic           sk-ant-{url:20+}                                     -                     docs.anthropic.com
aws                 AKIA{upnum:16}                                       -                     docs.aws.amazon.com
aws                 ASIA{upnum:16}                                       -                     docs.aws.amazon.com
cloudflare          v1.0-{hex:24}-{hex:146}                              -                     gitleaks
dropbox             sl.{url:130+}                                        -                     gitleaks
github              ghp_{alnum:36}                                       -                     docs.github.com
github              gho_{alnum:36}                                       -                     docs.github.com
github              ghu_{alnum:36}                                       -                     docs.github.com
github              ghs_{alnum:36}                                       -                     docs.github.com
github              ghr_{alnum:36}                                       -                     docs.github.com
github              github_pat_{word:22+}                                -                     docs.github.com
gitlab              glpat-{url:20+}                                      -                     docs.gitlab.com
google              AIza{url:35}                                         -                     gitleaks
hugging-face        hf_{letter:34}                                       -                     gitleaks
npm                 npm_{alnum:36}                                       -                     docs.npmjs.com
openai              sk-proj-{url:40+}                                    -                     platform.openai.com
postman             PMAK-{hex:24}-{hex:34}                               -                     gitleaks
pypi                pypi-AgEIcHlwaS5vcmc{url:50+}                        -                     pypi.org
sendgrid            SG.{url:22}.{url:43}                                 -                     gitleaks
slack               xoxa-{url:10+}                                       -                     api.slack.com
slack               xoxb-{url:10+}                                       -                     api.slack.com
slack               xoxe.{dotted:10+}                                    -                     api.slack.com
slack               xoxp-{url:10+}                                       -                     api.slack.com
slack               xoxs-{url:10+}                                       -                     api.slack.com
slack-webhook       hooks.slack.com/services/<T{upnum:8-12}/B{upnum:8-12}/{alnum:24}> -        api.slack.com
sonar               sqp_{hex:40}                                         -                     kingfisher
stripe              sk_live_{alnum:10+}                                  -                     docs.stripe.com
"""

# end of module
