from django.urls import include, path

from simulator.rest import beside, drift, layers, pictures, runs, scenario_pictures, validation, views

_simulator = [
    path("rack/", views.RackSimulation.as_view(), name="simulator-rack"),
    *(path(f"{name}/", view.as_view(), name=f"simulator-{name}") for name, view in layers.VIEWS.items()),
    path("sweep/", beside.Sweep.as_view(), name="simulator-sweep"),
    path("compare/", beside.Compare.as_view(), name="simulator-compare"),
    path("validation/", validation.ValidationTable.as_view(), name="simulator-validation"),
    path("plan/", runs.PlanSimulation.as_view(), name="simulator-plan"),
    path("runs/<str:key>/", runs.RunItem.as_view(), name="simulator-run"),
    *(path(name, view.as_view(), name=f"simulator-{name.replace('.', '-')}") for name, view in pictures.VIEWS.items()),
]
_scenarios = [
    path("", views.ScenarioList.as_view(), name="scenario-list"),
    path("<str:key>/drift/", drift.ScenarioDrift.as_view(), name="scenario-drift"),
    *(
        path(f"<str:key>/pictures/{name}", view.as_view(), name=f"scenario-picture-{name.replace('.', '-')}")
        for name, view in scenario_pictures.VIEWS.items()
    ),
    path("<str:key>/", views.ScenarioItem.as_view(), name="scenario-item"),
]
urlpatterns = [path("simulator/", include(_simulator)), path("scenarios/", include(_scenarios))]
