"""UrbanGround: 810 instances in five levels, their judges, makers and scores."""
