"""From a plan to a draft: the order in which the builders run."""

import logging

from citysim.build.aside import Aside
from citysim.build.draft import CityDraft
from citysim.build.plans import CityPlan

log = logging.getLogger("citysim.build")


def assemble(plan: CityPlan, aside: Aside | None = None) -> CityDraft:
    """Build everything a plan names, pictures with the help of `aside` where it is given.

    Ground first, since everything stands on it; then buildings, whose facades carry the places' signs; street
    furniture next, since it gives way to the network and to doors; what is seen beyond the edge last. Then the network
    learns where it has a roof, lamps are hung below it, and things learn what they belong to. Where there are too many
    triangles the least visible ones go.
    """
    from citysim.build.belonging import belong
    from citysim.build.budget import keep_within
    from citysim.build.buildings import begin_painting, build_buildings
    from citysim.build.covering import mark_covered
    from citysim.build.places import build_places
    from citysim.build.props import build_props, describe_objects, hang_lamps
    from citysim.build.streets import build_streets
    from citysim.build.surroundings import build_surroundings

    draft = CityDraft(plan, aside)
    begin_painting(draft, plan.buildings)
    log.info("ground, streets and network ...")
    ground = build_streets(draft)
    log.info("%d buildings ...", len(plan.buildings))
    facades = build_buildings(draft, ground)
    log.info("%d places with their signs ...", len(plan.places))
    build_places(draft, ground, facades)
    log.info("%d pieces of furniture ...", len(plan.props))
    build_props(draft, ground)
    built = list(draft.mesh.parts)
    build_surroundings(draft, ground)
    mark_covered(draft)
    hang_lamps(draft, facades)
    belong(draft)
    keep_within(draft)
    describe_objects(draft, built)
    return draft
