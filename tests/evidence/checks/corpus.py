"""Command lines and the checks that each of them is: (kind, name, scope), … ; nothing for what only looks so."""
# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

Expected = tuple[str, str, str]

# command → "kind name | scope" for each check, joined by " + "
JUDGING = """
pytest => test pytest
pytest -q tests/test_a.py => test pytest | tests/test_a.py
pytest tests/test_a.py::test_b -x => test pytest | tests/test_a.py::test_b
pytest -k "a and b" => test pytest | -k a and b
pytest -m 'not slow' tests => test pytest | -m not slow, tests
pytest -n auto --dist loadfile => test pytest
pytest -p no:cacheprovider -q => test pytest
pytest --lf => test pytest | --lf
pytest --cov=src --cov-report term-missing => test pytest
pytest --maxfail 1 --tb short => test pytest
py.test => test py.test
python -m pytest -q => test pytest
python3.12 -m pytest tests/unit => test pytest | tests/unit
.venv/bin/python -m pytest => test pytest
./venv/bin/pytest -vv => test pytest
uv run pytest => test pytest
uv run --frozen python -m pytest tests/a => test pytest | tests/a
uvx --with pytest-xdist pytest => test pytest
poetry run pytest -q => test pytest
pipenv run pytest => test pytest
pdm run pytest => test pytest
hatch run pytest => test pytest
hatch test => test hatch test
rye run pytest => test pytest
conda run -n dev pytest => test pytest
PYTHONPATH=src pytest => test pytest
PYTEST_ADDOPTS="-k fast" pytest => test pytest | -k fast
timeout 300 pytest -q => test pytest
time pytest => test pytest
nice -n 10 pytest => test pytest
coverage run -m pytest => test pytest
python -m coverage run -m unittest => test unittest
python -m unittest => test unittest
python -m unittest discover => test unittest
python -m unittest discover -s tests => test unittest | -s tests
python -m unittest tests.test_a => test unittest | tests.test_a
python manage.py test => test manage.py test
python manage.py test shop.tests => test manage.py test | shop.tests
./manage.py test --parallel 4 => test manage.py test
python manage.py check => lint manage.py check
python tests/test_a.py => test test_a.py | tests/test_a.py
python run_tests.py => test run_tests.py | run_tests.py
hatch run test:cov => test hatch run test:cov
pdm run lint => lint pdm run lint
npx --yes eslint@8 src => lint eslint | src
yarn workspace web test => test yarn workspace web test
tox => test tox
tox -e py311 => test tox | -e py311
tox run -e lint => test tox | -e lint
nox => test nox
nox -s tests => test nox | -s tests
nose2 -v => test nose2
stestr run => test stestr run
behave features/a.feature => test behave | features/a.feature
ruff check . => lint ruff check
ruff check src tests => lint ruff check | src, tests
ruff check --fix => lint ruff check
ruff format --check . => format ruff format
ruff format --diff src => format ruff format | src
flake8 => lint flake8
python -m flake8 src => lint flake8 | src
pylint src/pkg => lint pylint | src/pkg
bandit -r src => lint bandit | src
yamllint . => lint yamllint
pre-commit run --all-files => lint pre-commit run
pre-commit run ruff --files a.py => lint pre-commit run | --files a.py, ruff
mypy => types mypy
mypy --strict src => types mypy | src
mypy -p shop => types mypy | -p shop
python -m mypy . => types mypy
dmypy run -- src => types dmypy run | src
pyright => types pyright
npx pyright src => types pyright | src
black --check . => format black
black --diff src => format black | src
isort --check-only src => format isort | src
uv build => build uv build
poetry build => build poetry build
poetry check => lint poetry check
jest => test jest
npx jest => test jest
npx jest src/foo -t 'adds one' => test jest | -t adds one, src/foo
npx jest --findRelatedTests src/a.ts => test jest | src/a.ts
yarn jest --coverage => test jest
yarn run jest => test jest
pnpm exec jest => test jest
npx vitest run => test vitest
npx vitest run src/a.test.ts => test vitest | src/a.test.ts
pnpm vitest --run => test vitest
bunx vitest => test vitest
npx mocha => test mocha
npx mocha -g 'adds' test/a.js => test mocha | -g adds, test/a.js
npx c8 mocha => test mocha
npx ava => test ava
npx tap => test tap
npx tape test/*.js => test tape | test/*.js
node --test => test node --test
node --test tests/a.test.js => test node --test | tests/a.test.js
node --test --test-name-pattern 'x' => test node --test | --test-name-pattern x
node --import tsx --test => test node --test
npx tsx --test => test tsx --test
npx playwright test => test playwright test
npx playwright test e2e/a.spec.ts --project chromium => test playwright test | --project chromium, e2e/a.spec.ts
npx cypress run => test cypress run
npx cypress run --spec cypress/a.cy.js => test cypress run | --spec cypress/a.cy.js
npx karma start --single-run => test karma start
ng test --watch=false => test ng test
npx react-scripts test --watchAll=false => test react-scripts test
npm test => test npm test
npm t => test npm test
npm run test => test npm run test
npm run test:unit => test npm run test:unit
npm test -- src/a.test.js => test npm test | src/a.test.js
npm test -- -t adds => test npm test | -t adds
npm --prefix web test => test npm test
npm test --workspace=api => test npm test | --workspace api
npm run e2e => test npm run e2e
CI=1 npm test => test npm test
cross-env CI=1 npm test => test npm test
pnpm test => test pnpm test
pnpm run test:unit => test pnpm run test:unit
pnpm -r test => test pnpm test
pnpm --filter api test => test pnpm test | --filter api
yarn test => test yarn test
yarn test src/a => test yarn test | src/a
yarn test:unit => test yarn test:unit
bun test => test bun test
bun test a.test.ts -t x => test bun test | -t x, a.test.ts
bun run test => test bun run test
deno test => test deno test
deno test --allow-read tests/ => test deno test | tests/
deno task test => test deno task test
npx turbo run test => test turbo run test
npx nx test api => test nx test | api
npx lerna run test => test lerna run test
npx eslint . => lint eslint
npx eslint src --ext .ts,.tsx => lint eslint | src
npx eslint --fix src => lint eslint | src
npx biome check . => lint biome check
npx biome ci => lint biome ci
npx stylelint 'src/**/*.css' => lint stylelint | src/**/*.css
npx markdownlint '**/*.md' => lint markdownlint | **/*.md
npx oxlint => lint oxlint
npm run lint => lint npm run lint
npm run lint:js -- src => lint npm run lint:js | src
pnpm lint => lint pnpm lint
yarn lint => lint yarn lint
bun run lint => lint bun run lint
deno lint => lint deno lint
npx tsc => types tsc
npx tsc --noEmit => types tsc
npx tsc -p tsconfig.build.json => types tsc | -p tsconfig.build.json
npx tsc -b => types tsc
npx vue-tsc --noEmit => types vue-tsc
npx svelte-check => types svelte-check
npx flow check => types flow check
npm run typecheck => types npm run typecheck
npm run type-check => types npm run type-check
pnpm check:types => types pnpm check:types
deno check main.ts => types deno check | main.ts
npx prettier --check . => format prettier
npx prettier -c src => format prettier | src
npm run format:check => format npm run format:check
npm run check-format => format npm run check-format
deno fmt --check => format deno fmt
npx biome format . => format biome format
npm run build => build npm run build
pnpm build => build pnpm build
yarn build => build yarn build
bun run build => build bun run build
npx vite build => build vite build
npx webpack => build webpack
npx webpack --mode production => build webpack
npx next build => build next build
npx next lint => lint next lint
npx rollup -c => build rollup
npx tsup => build tsup
ng build => build ng build
go test ./... => test go test
go test ./pkg/... => test go test | ./pkg/...
go test => test go test | ./*.go
go test -run TestX ./pkg => test go test | -run TestX, ./pkg
go test -race -count=1 -v ./... => test go test
go test -short ./... => test go test | -short
gotestsum -- ./... => test gotestsum
ginkgo -r ./... => test ginkgo
go build ./... => build go build
go vet ./... => build go vet
golangci-lint run => lint golangci-lint run
golangci-lint run ./... => lint golangci-lint run
staticcheck ./... => lint staticcheck
gofmt -l . => format gofmt
cargo test => test cargo test
cargo t => test cargo t
cargo test --workspace --all-features => test cargo test
cargo test -p core parser => test cargo test | -p core, parser
cargo test --lib => test cargo test | --lib
cargo +nightly test => test cargo test
cargo nextest run => test cargo nextest run
cargo nextest run -E 'test(a)' => test cargo nextest run | -E test(a)
cargo clippy => lint cargo clippy
cargo clippy --all-targets -- -D warnings => lint cargo clippy
cargo deny check => lint cargo deny check
cargo build => build cargo build
cargo b --release => build cargo b
cargo check => build cargo check
cargo fmt --check => format cargo fmt
cargo fmt --all -- --check => format cargo fmt
rustfmt --check src/a.rs => format rustfmt | src/a.rs
ctest => test ctest
ctest --test-dir build -j4 => test ctest
ctest -R parser --output-on-failure => test ctest | -R parser
cmake --build build => build cmake --build
cmake --build build --target lib => build cmake --build | --target lib
meson test -C build => test meson test
meson compile -C build => build meson compile
ninja => build ninja
ninja -C build => build ninja
ninja test => test ninja test
make => build make
make -j8 => build make
make all => build make all
make build => build make build
make test => test make test
make -j4 test => test make test
make -C sub check => test make check
make test-unit => test make test-unit
make tests => test make tests
make lint => lint make lint
make lint test => lint make lint + test make test
make typecheck => types make typecheck
make fmt-check => format make fmt-check
make test TESTS=a => test make test | TESTS=a
gmake check => test gmake check
just test => test just test
task test => test task test
task lint => lint task lint
bazel test //... => test bazel test
bazel test //pkg:all => test bazel test | //pkg:all
bazel build //... => build bazel build
shellcheck *.sh => lint shellcheck | *.sh
hadolint Dockerfile => lint hadolint | Dockerfile
actionlint => lint actionlint
clang-format --dry-run -Werror a.c => format clang-format | a.c
shfmt -d . => format shfmt
zig build test => test zig build test
zig test src/a.zig => test zig test | src/a.zig
zig build => build zig build
mvn test => test mvn test
mvn -q -B verify => test mvn verify
mvn clean install => build mvn install
mvn package => build mvn package
mvn test -Dtest=FooTest => test mvn test | -Dtest FooTest
./mvnw verify => test mvnw verify
mvn -pl core test => test mvn test | -pl core
gradle test => test gradle test
./gradlew check => test gradlew check
./gradlew build => build gradlew build
./gradlew assemble => build gradlew assemble
./gradlew :app:test => test gradlew :app:test | app
./gradlew test --tests 'FooTest' => test gradlew test | --tests FooTest
./gradlew ktlintCheck => lint gradlew ktlintCheck
./gradlew spotlessCheck => format gradlew spotlessCheck
sbt test => test sbt test
sbt clean compile => build sbt compile
dotnet test => test dotnet test
dotnet test tests/A.csproj --filter Name~X => test dotnet test | --filter Name~X, tests/A.csproj
dotnet build => build dotnet build
dotnet format --verify-no-changes => format dotnet format
xcodebuild test -scheme App => test xcodebuild test
swift test => test swift test
swift test --filter A => test swift test | --filter A
swift build => build swift build
rspec => test rspec
bundle exec rspec spec/a_spec.rb:12 => test rspec | spec/a_spec.rb:12
bundle exec rake test => test rake test
rake spec => test rake spec
rails test => test rails test
bin/rails test test/models => test rails test | test/models
bundle exec rubocop => lint rubocop
rubocop app => lint rubocop | app
bundle exec cucumber => test cucumber
vendor/bin/phpunit => test phpunit
vendor/bin/phpunit --filter testX => test phpunit | --filter testX
php vendor/bin/phpunit tests/Unit => test phpunit | tests/Unit
./vendor/bin/pest => test pest
php artisan test => test artisan test
composer test => test composer test
composer run-script lint => lint composer run lint
vendor/bin/phpstan analyse src => types phpstan analyse | src
vendor/bin/psalm => types psalm
vendor/bin/pint --test => format pint
vendor/bin/php-cs-fixer fix --dry-run => format php-cs-fixer fix
php -l src/a.php => lint php -l | src/a.php
mix test => test mix test
mix test test/a_test.exs:12 => test mix test | test/a_test.exs:12
mix credo => lint mix credo
mix format --check-formatted => format mix format
mix compile --warnings-as-errors => build mix compile
flutter test => test flutter test
dart test => test dart test
flutter analyze => lint flutter analyze
dart format --set-exit-if-changed . => format dart format
stack test => test stack test
cabal test all => test cabal test
dune runtest => test dune runtest
bats tests => test bats | tests
busted => test busted
prove -r t => test prove | t
forge test => test forge test
helm lint chart => lint helm lint | chart
terraform validate => lint terraform validate
terraform fmt -check => format terraform fmt
docker build . => build docker build
docker build -t app . => build docker build
docker compose build => build docker compose build
mkdocs build --strict => build mkdocs build
bash -c 'pytest -q' => test pytest
bash -lc 'cd web && npm test' => test npm test
sh -c "make test" => test make test
(cd web && npm test) => test npm test
cd web && npm run build => build npm run build
git pull && pytest => test pytest
pytest || true => test pytest
if pytest; then echo ok; fi => test pytest
for f in a b; do pytest tests/$f.py; done => test pytest | tests/a.py + test pytest | tests/b.py
ruff check . && mypy && pytest => lint ruff check + types mypy + test pytest
npm run lint && npm test && npm run build => lint npm run lint + test npm test + build npm run build
cargo fmt --check && cargo clippy && cargo test => format cargo fmt + lint cargo clippy + test cargo test
make build test => build make build + test make test
find . -name '*.py' | xargs flake8 => lint flake8 | …
git ls-files '*.sh' | xargs -n1 shellcheck => lint shellcheck | …
xvfb-run -a npm run test:e2e => test npm run test:e2e
nix develop -c make test => test make test
direnv exec . pytest => test pytest
dotenv -- npm test => test npm test
docker compose exec app pytest -q => test pytest
docker run --rm img npm test => test npm test
ssh host pytest => test pytest
npm run test:update-snapshots => test npm run test:update-snapshots
npx jest -u => test jest
"""

LOOKING_SO = """
cat test.py
cat tests/test_a.py
cat pytest.ini
less jest.config.js
head -20 vitest.config.ts
tail -f test.log
grep pytest setup.cfg
grep -rn "npm test" .
rg 'go test' Makefile
ag mocha
git grep -n jest
git commit -m "npm test passes"
git commit -am 'run pytest and mypy'
git log --grep pytest
git add tests/test_a.py
git checkout test-branch
git diff tests
git stash push tests
git push origin test
echo pytest
echo "make test"
printf 'cargo test\\n'
pip install pytest
pip install -r requirements-test.txt
pip install -e '.[test]'
python -m pip install tox nox
uv add --dev pytest
uv pip install mypy ruff
uv sync
uv run python app.py
poetry add --group dev pytest
poetry install
pipenv install pytest
pdm add ruff
npm install jest
npm i -D vitest eslint
npm ci
npm install
npm run dev
hatch run serve
pdm run python app.py
npm start
npm run test:watch
npm run test:data
npm run test-server
npm run lint-staged-setup
npm run prepare
npm run build:watch
npm run format
npm run storybook
npm init jest
npm view jest version
npm help test
npm ls mocha
npx create-next-app build
npx playwright install
npx playwright codegen
npx playwright show-report
npx cypress open
npx jest --watch
npx jest --listTests
npx jest --version
npx vitest --watch
npx vitest list
npx eslint --print-config a.js
npx eslint --init
npx tsc --init
npx tsc --watch
npx tsc --version
npx prettier --write .
npx prettier src/a.js
yarn add jest
yarn why mocha
yarn dev
pnpm add -D vitest
pnpm install
bun install
bun add vitest
deno run main.ts
deno fmt
node test-server.js
node server.js
node -e 'require("jest")'
vim tests/test_a.py
nano pytest.ini
code tests
emacs test.py
ls tests
ls -la node_modules/.bin/jest
find . -name 'test_*.py'
find tests -type f
rm -rf .pytest_cache
rm -rf node_modules/.cache/jest
mkdir -p tests
touch tests/test_b.py
cp tests/test_a.py tests/test_b.py
mv test.py tests/
which pytest
command -v pytest
type pytest
whereis go
man ctest
pytest --version
pytest --help
pytest -h
pytest --collect-only
pytest --co -q
pytest --fixtures
pytest --markers
python -c 'import pytest; print(pytest.__version__)'
python -m pytest --version
python setup.py install
python app.py --test
python -m venv test
python -m http.server
python -m json.tool test.json
python contest.py
tox -l
tox --listenvs
nox --list
mypy --version
mypy --install-types-only
ruff --version
ruff format .
ruff rule E501
ruff clean
black .
black src tests
isort .
flake8 --version
pre-commit install
pre-commit autoupdate
make -n test
make --dry-run test
make testdata
make test-data
make clean
make install
make help
make -p
make format
make fmt
make run
make dev
make test-server
make deploy
make docs
ninja -t targets
cargo test --no-run
cargo new test
cargo run -- test
cargo run
cargo add pretty_assertions
cargo fmt
cargo install cargo-nextest
cargo doc --open
cargo clean
rustfmt src/a.rs
go run ./cmd/test
go run .
go mod tidy
go fmt ./...
go get github.com/stretchr/testify
go test -c ./pkg
go test -list . ./...
go env
gofmt -w .
mvn clean
mvn dependency:tree
mvn test -DskipTests
mvn --version
gradle tasks
./gradlew --version
./gradlew clean
./gradlew test --dry-run
dotnet run
dotnet add package xunit
dotnet test --list-tests
dotnet format
swift run
swift package init
bundle install
bundle add rspec
rails server
rails db:migrate
rake -T
rake db:test:prepare
rubocop -V
composer install
composer require --dev phpunit/phpunit
php artisan serve
php artisan make:test FooTest
vendor/bin/phpunit --version
vendor/bin/phpunit --list-tests
vendor/bin/pint
mix deps.get
mix new test
mix format
flutter run
dart format .
ctest -N
ctest --show-only
cmake -S . -B build
cmake -DBUILD_TESTING=ON ..
meson setup build
docker run -it test
docker ps
docker compose up
docker compose up test
docker pull cypress/included
kubectl get pods -l app=test
terraform plan
terraform fmt
helm test-release status
ssh test
curl https://example.com/test
wget http://x/pytest.zip
sed -i 's/pytest/tox/' ci.yml
awk '/pytest/' log
sort tests.txt
diff test_a.py test_b.py
wc -l tests/*.py
export PYTEST_ADDOPTS=-q
alias t=pytest
test -f pytest.ini
[ -f Makefile ]
[[ -d tests ]]
cat <<'X' > run.sh
# pytest
pkill -f jest
killall node
ps aux | grep pytest
history | grep 'make test'
tree tests
open coverage/index.html
gh run view --log
gh pr create --title "Fix pytest"
gh workflow run test
edge step done 1
edge note "pytest is green"
tee test.log
watch ls tests
env | grep TEST
time ls test
xargs -n1 echo < tests.txt
jq .scripts.test package.json
bun run dev
turbo run dev
nx serve api
nx graph
task --list
just --list
task deploy
""".replace("cat <<'X' > run.sh", "cat <<'X' > run.sh\\npytest\\nX")


def judging() -> list[tuple[str, list[Expected]]]:
    """Each command with its checks: kind, name, scope."""
    return [
        (command, [_expected(each) for each in said.split(" + ") if each.strip()])
        for command, _, said in (line.partition(" => ") for line in _lines(JUDGING))
    ]


def looking_so() -> list[str]:
    return [line.replace("\\n", "\n") for line in _lines(LOOKING_SO)]


def _lines(text: str) -> list[str]:
    return [line.replace("\\\\n", "\\n") for line in text.strip().split("\n")]


def _expected(text: str) -> Expected:
    said, _, scope = text.partition(" | ")
    kind, _, name = said.strip().partition(" ")
    return kind, name, scope.strip()
