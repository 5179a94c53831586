"""What the worker does for the simulator."""

from procrastinate.contrib.django import app

from simulator.runs import keep_runs, perform


# Behind all else: anybody may ask for fifty of them, and each takes up to a minute.
@app.task(queue="simulator", priority=-1, pass_context=False)
def perform_run(run_id: str) -> None:
    """Do a calculation that was asked for."""
    perform(run_id)


@app.periodic(cron="*/5 * * * *")
@app.task(queueing_lock="simulator_runs")
def keep_runs_in_order(timestamp: int) -> None:
    keep_runs()
