# `make test` on a fresh Debian 12 or 13 is all a newcomer needs to type; PYTHON names another Python, 3.11 to 3.14.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
RUNS := $(VENV)/.runs
BROKER := $(VENV)/.broker

.PHONY: setup demo demo-kafka test check compiled mutants tamper cheats spoil floors incidents feeds exhaustive kills bare faults hostile hasty fuzz requests rounds unrecorded compare bench screenshots odds docs kafka lock clean

setup: $(READY)

# Everything, for the tests.
$(READY): requirements-dev.lock requirements-setup.lock tests/javascript/package-lock.json pyproject.toml .ci/setup
	@.ci/setup test
	@touch $(RUNS) $(BROKER) $@

# What runs, and nothing else.
$(RUNS): requirements.lock requirements-setup.lock pyproject.toml .ci/setup
	@.ci/setup demo
	@touch $@

# The same with what a broker needs.
$(BROKER): requirements.lock requirements-setup.lock pyproject.toml .ci/setup
	@.ci/setup kafka
	@touch $(RUNS) $@

# Run a simulated casino floor with the live dashboard, on PORT. Ctrl-C ends all of it.
demo: $(RUNS)
	@$(BIN)/catwalk demo $(if $(PORT),--port $(PORT))

# The same on a real broker. It needs Java and Maven, and fetches Kafka from Maven Central.
demo-kafka: $(BROKER)
	@$(BIN)/catwalk demo --broker $(if $(PORT),--port $(PORT))

# Known vulnerabilities of the locked packages are looked up where the network allows, or in ADVISORIES, a copy of
# github.com/pypa/advisory-database.
check: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/bandit --quiet --configfile pyproject.toml --recursive domain projections consumers dashboards
	@$(BIN)/python -m tests.dependencies $(if $(ADVISORIES),--advisories $(ADVISORIES))

# Four at a time on two cores: kills, brokers and browsers wait as long as they compute.
# The tests start hundreds of Pythons; where the environment forbids to keep what is compiled, each would compile it all.
test: export PYTHONDONTWRITEBYTECODE =
test: setup
	@$(MAKE) --no-print-directory --jobs=2 check compiled
	@$(BIN)/pytest -n 4 --dist loadgroup -m "not exhaustive"

# What the four would each compile when they start. A file that cannot be imported is told by the tests themselves.
compiled: setup
	@$(BIN)/python -c "from consumers.bulk.loading import compiled; compiled()" || true
	@$(BIN)/pytest --collect-only -qq >/dev/null 2>&1 || true

# Every hand there is, counted: minutes, not seconds.
exhaustive: setup
	@$(BIN)/pytest -m exhaustive -s

# Every detector, and what judges beside them, with each condition turned round or left out: a case must notice.
mutants: setup
	@$(BIN)/python -m tests.mutants

# Every bit of an export turned, one at a time: each must be refused, and where it lies be told.
tamper: setup
	@$(BIN)/python -m tests.export.tamper

# The exports of docs/auditors-walk.md in which the property cheats, into FOLDER, which must not be there yet.
cheats: setup
	@$(BIN)/python -m tests.export.cheats $(or $(FOLDER),cheats)

# MANY bytes of each file of an embedded record changed, one at a time, at places drawn from SEED: each must be noticed,
# or be for nothing. Half an hour.
spoil: setup
	@$(BIN)/python -m tests.doctor.spoil $(or $(SEED),1) $(or $(MANY),2000)

# Many simulated floors from SEED on, each verified: a clean floor raises nothing, and names its command where it does;
# of INCIDENTS larger ones with every incident there is, each is found by its clause and amount, and nothing else; and
# where sensors see only a part, nothing is found that no incident did.
floors: setup
	@$(BIN)/python -m tests.simulation.seeds $(or $(SEED),1) $(or $(MANY),25)
	@$(BIN)/python -m tests.simulation.incidents.seeds $(or $(SEED),1) $(or $(INCIDENTS),5)
	@$(BIN)/python -m tests.simulation.incidents.partial $(or $(SEED),1) $(or $(MANY),25)

# MANY labelled floors from SEED on: how many incidents one cause makes, and how many hold several causes.
incidents: setup
	@$(BIN)/python -m tests.incidents.floors $(or $(SEED),1) $(or $(MANY),10)

# Projectors, the store they write, and gateways to which three and four ways in deliver, killed MANY times each.
kills: setup
	@KILLS=$(or $(MANY),100) $(BIN)/pytest -n 2 --dist loadgroup tests/projecting/test_kills.py tests/projections/test_kills.py tests/network/test_kills.py tests/kafka/test_inputs.py -k kill

# A system with nothing but the packages of SUITE (bookworm, trixie, noble, resolute), as root and with mmdebstrap: the
# time and disk of `make demo` there, and `make test`. WHAT names other commands. KEYRING has the keys of Ubuntu's archive.
bare: setup
	@$(BIN)/python -m tests.bare $(or $(SUITE),trixie) $(if $(WHAT),"$(WHAT)") $(if $(KEYRING),--keyring $(KEYRING))

# Gateways and leaders killed in an order drawn from SEED, for MINUTES; it prints the line that repeats it.
faults: setup
	@$(BIN)/python -m tests.kafka.faults $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES))

# Inputs made by chance and by coverage, for SECONDS in all or of one TARGET, from the seeds in tests/fuzz; KEEP=1 adds to them.
fuzz: setup
	@$(BIN)/python -m tests.fuzz.run --seconds $(or $(SECONDS),3600) $(addprefix --target ,$(TARGET)) $(if $(KEEP),--keep)

# The HTTPS way in, asked by Schemathesis for the boundaries of every type of fact, and MANY requests by chance from SEED: minutes.
requests: setup
	@REQUESTS=$(or $(MANY),200) SEED=$(or $(SEED),1) $(BIN)/pytest tests/network/test_asking.py

# MANY rounds drawn from SEED, with every irregularity and every hole, settled twice: each wager is answered.
rounds: setup
	@$(BIN)/python -m tests.settlement.drawn $(or $(SEED),1) $(or $(MANY),1000000)

# Lawful days of every game without every type of fact, every pair, and MANY triples each, drawn from SEED: nothing is found.
unrecorded: setup
	@$(BIN)/python -m tests.watch.unrecorded $(or $(SEED),1) $(or $(MANY),300)

# Four hostile clients at the gateway's socket: an honest client's median answer beside them, and the memory; minutes.
# CODE names another folder whose code is measured in the same way.
hostile: setup
	@$(BIN)/python -m tests.bench.hostile $(CODE)

# Whole days of every game from SEED on, MANY of each: a lawful feed is clean, and each way of mapping a day wrongly is
# named with its cure.
feeds: setup
	@$(BIN)/python -m tests.feeding $(or $(SEED),1) $(or $(MANY),2)

# The code in another folder, CODE, and this code judge, project and export the same MANY floors from SEED on.
compare: setup
	@$(BIN)/python -m tests.compare $(CODE) $(or $(SEED),1) $(or $(MANY),20)

# The rates of the hot paths beside their peers; CODE names another folder whose code takes Kafka to read models as well.
bench: setup
	@$(BIN)/python -m tests.bench $(CODE)

# Somebody in a hurry on a slow line, MANY times from SEED on: a page ends as what its address shows.
hasty: setup
	@$(BIN)/python -m tests.room.hasty $(or $(SEED),1) $(or $(MANY),25)

# Every page of a simulated floor, dark and light, as pictures into FOLDER: minutes.
screenshots: setup
	@$(BIN)/python -m tests.room.screenshots $(or $(FOLDER),screenshots)

# Computes the stored odds again from nothing and compares them with what the project holds.
odds: setup
	@$(BIN)/python -m domain.odds.make

# The pages of docs/ that say what the code says.
docs: $(RUNS)
	@$(BIN)/python -m consumers.reference
	@$(BIN)/python -m tests.watch.decidable

# One Kafka broker to try things on, until Ctrl-C. It needs Java and Maven, and fetches Kafka from Maven Central.
kafka: $(BROKER)
	@$(BIN)/python -m consumers.kafka.play

# The lock files, for each Python from 3.11 on. What two of them name has one version. One is of uv alone, which installs the others.
lock: LOCK = $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11
lock: setup
	@$(BIN)/python -m pip install --quiet uv
	@echo uv | $(LOCK) - --output-file requirements-setup.lock
	@$(LOCK) pyproject.toml --extra build --output-file requirements.lock
	@$(LOCK) pyproject.toml --all-extras --constraints requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .fuzz
