"""Evaluation: run folders, executors, scores, comparisons and reports.

`evaluate` plays a suite, `score` scores a run again from its records, `compare` puts runs side by side, and
`citysim.runs.report.write_report` makes the page.
"""
