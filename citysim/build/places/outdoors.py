"""Places in the open, and those no wall was found for: kiosks with a name board, and signs on posts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.draft import CityDraft, Ground
from citysim.build.places.categories import Scheme
from citysim.build.places.doorways import register
from citysim.build.places.fascia import scheme_of, shown_name
from citysim.build.plans import PlacePlan, PropPlan, Xy
from citysim.build.props import page
from citysim.build.props.catalogue import make
from citysim.build.props.model import Model, give_bounds
from citysim.build.props.spots import find_spot
from citysim.build.props.surroundings import Surroundings
from citysim.build.text.atlas import Printed, TextAtlas
from citysim.build.text.sign import SignFace
from citysim.fonts.layout import wrap

REACH = 3.0  # metres from a place to its own post or kiosk
FAR = 80.0  # metres to the walking line that leads to a place
LOW = 2.3  # metres: underside of a sign on a post
CAPITAL, WIDEST = 0.16, 1.7  # metres


@dataclass(slots=True)
class _Sign:
    place: PlacePlan
    model: Model
    kiosk: PropPlan | None
    xy: Xy
    heading: float
    entrance: Xy
    ticket: int


def build_outdoors(draft: CityDraft, ground: Ground, places: Sequence[PlacePlan]) -> None:
    """Stand a kiosk (where the plan has one for the place) or a sign post for each place, and register it."""
    if not places:
        return
    page.register(draft)
    around = Surroundings(draft, ground)
    kiosks = {p.id: p for p in draft.plan.props if p.id.endswith("/kiosk")}
    atlas = TextAtlas(draft, "places/posts")
    signs: list[_Sign] = []
    for place in places:
        sign = _stand(draft, around, atlas, place, kiosks.get(f"{place.id}/kiosk"))
        if sign is None:
            draft.warnings.append(f"place {place.id} ({place.name}) is out of reach of any walking line: left out")
        else:
            signs.append(sign)
    atlas.pack()
    for sign in signs:
        _build(draft, ground, atlas.printed(sign.ticket), sign)


def _stand(
    draft: CityDraft, around: Surroundings, atlas: TextAtlas, place: PlacePlan, kiosk: PropPlan | None
) -> _Sign | None:
    scheme = scheme_of(place, draft.chance)
    lead = around.nearest_walk(place.xy, FAR)
    if kiosk is not None:
        heading = around.towards_walk(place.xy) if kiosk.heading_deg is None else kiosk.heading_deg
        model = make(kiosk, draft.chance.child(f"prop/{kiosk.id}")).copy()
        spot = find_spot(model, heading or 0.0, place.xy, REACH, around)
        if spot is not None:
            face = SignFace(wrap(shown_name(place), 14), scheme.face, scheme.ink, scheme.ground, 22)
            entrance = _ahead(spot, heading or 0.0, 2.1)
            return _Sign(place, model, kiosk, spot, heading or 0.0, entrance, atlas.want(face, spot))
    post = _post()
    for center, reach in ((place.xy, REACH), (lead, 5.0)):
        if center is None:
            continue
        heading = around.towards_walk(center) or 0.0
        spot = find_spot(post, heading, center, reach, around)
        if spot is not None:
            foot = around.nearest_walk(spot, FAR)
            entrance = spot if foot is None else _towards(spot, foot, 0.8)
            heading = around.towards_walk(spot) or heading
            return _Sign(place, post, None, spot, heading, entrance, atlas.want(_face(place, scheme), spot))
    return None


def _face(place: PlacePlan, scheme: Scheme) -> SignFace:
    return SignFace(wrap(shown_name(place), 14, 3), "narrow", scheme.ink, scheme.ground, 18, 0.35)


def _post() -> Model:
    model = Model()
    model.tube((0.0, 0.0, -0.08), (0.0, 0.0, LOW + 0.1), (0.04, 0.04), "#3a4044", sides=5)
    return model


def _build(draft: CityDraft, ground: Ground, printed: Printed, sign: _Sign) -> None:
    z = float(ground.height([sign.xy])[0])
    at = (*sign.xy, z)
    place, model = sign.place, sign.model
    if sign.kiosk is not None:
        kind = "kiosk"
        label = draft.add_object(kind, at, name=place.name, heading_deg=sign.heading, plan_id=sign.kiosk.id)
        capital = min(0.3, 2.7 / printed.width)
        low, depth = 2.62, 1.462
    else:
        kind = "sign_post"
        label = draft.add_object(kind, at, name=place.name, heading_deg=sign.heading, plan_id=f"{place.id}/post")
        capital = min(CAPITAL, WIDEST / printed.width)
        low, depth = LOW, 0.045
    give_bounds(draft, label, model.stand(draft, at, sign.heading, label))
    board = Model()
    w, h = printed.width * capital, printed.height * capital
    for side in (1, -1):
        x, y = side * w / 2, side * depth
        corners = [(x, y, low), (-x, y, low), (-x, y, low + h), (x, y, low + h)]
        board.quad(corners, printed.uv, material=f"@{printed.material}")
    if sign.kiosk is None:
        board.box((0.0, 0.0, low), (w, 2 * depth - 0.004, h), "#2b2e31", faces="lrtd")
    else:
        for side in (1, -1):
            board.box((0.0, side * (depth - 0.042), low), (w, 0.08, h), "#2b2e31", faces="fblrt")
    number = draft.add_object(
        "shop_sign",
        (sign.xy[0], sign.xy[1], z + low),
        name=place.name,
        heading_deg=sign.heading,
        parent=label,
        text=shown_name(place),
        kind="board",
    )
    give_bounds(draft, number, board.stand(draft, at, sign.heading, number))
    x, y = (round(v * 1024) / 1024 for v in sign.entrance)
    register(draft, place, (x, y, float(ground.height([(x, y)])[0])), None, number)


def _ahead(xy: Xy, heading: float, distance: float) -> Xy:
    a = math.radians(heading)
    return xy[0] + distance * math.sin(a), xy[1] + distance * math.cos(a)


def _towards(xy: Xy, target: Xy, distance: float) -> Xy:
    away = math.dist(xy, target)
    t = min(1.0, distance / away) if away > 1e-6 else 0.0
    return xy[0] + (target[0] - xy[0]) * t, xy[1] + (target[1] - xy[1]) * t
