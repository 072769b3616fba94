"""A suite played through Inspect by its mock model."""

import json
from pathlib import Path

import pytest

from citysim.tasks.suites import load_suite
from tests.towns import grid_town

inspect_ai = pytest.importorskip("inspect_ai", reason="the extra [inspect] is not installed")


@pytest.mark.filterwarnings("ignore")
def test_the_mock_model_plays_a_suite(tmp_path: Path) -> None:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from citysim.agents.inspect_task import suite_task

    said = [
        '{"reason": "there", "action": {"action": "move", "dir": "forward", "seconds": 1}}',
        "no action at all",
        '{"action": {"action": "look", "yaw": 90}}',
        '{"reason": "lost", "action": {"action": "terminate"}}',
    ]
    outputs = [ModelOutput.from_content("mockllm/model", words) for words in said]
    for output in outputs:
        output.usage = ModelUsage(
            input_tokens=1, output_tokens=1, total_tokens=2
        )  # else it counts by what it downloads
    model = get_model("mockllm/model", custom_outputs=outputs)
    town = grid_town()
    task = suite_task(load_suite("starter", town, 0), town, limit=1, image_size=(64, 48))
    (log,) = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    (sample,) = log.samples
    assert sample.id == "starter-001"
    (score,) = sample.scores.values()
    assert score.value == 0.0
    assert (score.metadata["stop_reason"], score.metadata["steps"]) == ("terminated", 3)
    assert score.metadata["path_length_m"] > 0.5
    assert len(sample.messages) == 1 + 2 * 3
    assert log.results.scores[0].metrics["accuracy"].value == 0.0
    assert "data:image" not in json.dumps([m.text for m in sample.messages])
