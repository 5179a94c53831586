"""What the worker does for the simulator."""

from procrastinate.contrib.django import app

from simulator.runs import keep_runs, perform


@app.task(queue="simulator", pass_context=False)
def perform_run(run_id: str) -> None:
    """Do a calculation that was asked for."""
    perform(run_id)


@app.periodic(cron="*/5 * * * *")
@app.task(queueing_lock="simulator_runs")
def keep_runs_in_order(timestamp: int) -> None:
    keep_runs()
