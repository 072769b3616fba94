"""What commands on suites share: a suite with the cities that its instances need."""

from citysim.catalog import load_city
from citysim.city import City
from citysim.tasks.suite import Suite
from citysim.tasks.suites import load_suite, needs_city


def suite_and_cities(
    name: str, city: str | None, seed: int, ids: str | None = None, limit: int | None = None
) -> tuple[Suite, list[City]]:
    """The suite of a name or file, and the cities of its chosen instances: `city`, else those that they name.

    Raises what `load_suite` and `load_city` raise, and InputError for cities of other content.
    """
    if needs_city(name):
        place = load_city(city or "mini")
        return load_suite(name, place, seed), [place]
    suite = load_suite(name)
    if city is not None:
        return suite, [load_city(city)]
    return suite, [load_city(found) for found in sorted({i.city for i in suite.select(ids, limit)})]
