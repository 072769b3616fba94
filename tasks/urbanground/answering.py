"""Questions about what is seen: recognition, orientation and exploration."""

from citysim.tasks.base import Facts, Goal, Verdict


class Answering:
    """Look around within the budget, then answer once; an answer that names no option is wrong.

    The episode is done when the answer is given: it is asked for after `terminate` or the last action.
    """

    def judge(self, facts: Facts, goal: Goal) -> Verdict:
        """`distance_m` is 0: nothing has to be reached."""
        right = goal.question is not None and facts.answer == goal.question.letter
        valid = bool(facts.answer)
        metrics = {"answer_correct": float(right), "answer_valid": float(valid)}
        done = facts.answer != ""
        return Verdict(done, right, "answered" if done else "", 0.0, metrics)
