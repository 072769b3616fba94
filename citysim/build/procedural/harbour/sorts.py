"""Which buildings stand on which streets of the harbour city."""

from citysim.build.procedural.district.houses import Sort
from citysim.build.procedural.district.parcels import Slicing

Sorts = tuple[tuple[Sort, float], ...]

TONGLAU = Sort("harbour_tonglau", "apartments")
WALKUP = Sort("harbour_walkup", "apartments", levels=(6, 12))
TALL = Sort("harbour_walkup", "apartments", levels=(11, 18))
OFFICE = Sort("harbour_office", "office", levels=(15, 32))
PODIUM = Sort("harbour_podium_tower", "apartments", levels=(26, 40))
ESTATE = Sort("harbour_estate", "apartments", "homes", levels=(20, 34))
HALL = Sort("harbour_market", "retail", levels=(2, 4))

SHORE: Sorts = ((OFFICE, 4.0), (PODIUM, 3.0), (TALL, 1.5))
BUSY: Sorts = ((TONGLAU, 5.0), (WALKUP, 4.0), (HALL, 0.8), (TALL, 1.0))
LOCAL: Sorts = ((TONGLAU, 3.0), (WALKUP, 4.0), (TALL, 1.5), (OFFICE, 0.6))
UPHILL: Sorts = ((WALKUP, 3.0), (TONGLAU, 2.0), (TALL, 2.0))
TOWERS: Sorts = ((ESTATE, 4.0), (TALL, 2.0), (PODIUM, 0.7))

WIDE = Slicing((22.0, 31.0), 26.0)
NARROW = Slicing((13.5, 22.5), 22.0, corner=18.0, module=4.5)
MEDIUM = Slicing((17.0, 27.0), 20.0, corner=20.0)
LARGE = Slicing((24.0, 34.0), 20.0)
