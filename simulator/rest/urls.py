from django.urls import path

from simulator.rest import beside, drift, layers, pictures, runs, scenario_pictures, validation, views

urlpatterns = [
    path("simulator/rack/", views.RackSimulation.as_view(), name="simulator-rack"),
    *(path(f"simulator/{name}/", view.as_view(), name=f"simulator-{name}") for name, view in layers.VIEWS.items()),
    path("simulator/sweep/", beside.Sweep.as_view(), name="simulator-sweep"),
    path("simulator/compare/", beside.Compare.as_view(), name="simulator-compare"),
    path("simulator/validation/", validation.ValidationTable.as_view(), name="simulator-validation"),
    path("simulator/plan/", runs.PlanSimulation.as_view(), name="simulator-plan"),
    path("simulator/runs/<str:key>/", runs.RunItem.as_view(), name="simulator-run"),
    *(
        path(f"simulator/{name}", view.as_view(), name=f"simulator-{name.replace('.', '-')}")
        for name, view in pictures.VIEWS.items()
    ),
    path("scenarios/", views.ScenarioList.as_view(), name="scenario-list"),
    path("scenarios/<str:key>/drift/", drift.ScenarioDrift.as_view(), name="scenario-drift"),
    *(
        path(f"scenarios/<str:key>/pictures/{name}", view.as_view(), name=f"scenario-picture-{name.replace('.', '-')}")
        for name, view in scenario_pictures.VIEWS.items()
    ),
    path("scenarios/<str:key>/", views.ScenarioItem.as_view(), name="scenario-item"),
]
