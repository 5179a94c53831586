from django.urls import path

from simulator.rest import layers, runs, validation, views

urlpatterns = [
    path("simulator/rack/", views.RackSimulation.as_view(), name="simulator-rack"),
    *(path(f"simulator/{name}/", view.as_view(), name=f"simulator-{name}") for name, view in layers.VIEWS.items()),
    path("simulator/validation/", validation.ValidationTable.as_view(), name="simulator-validation"),
    path("simulator/plan/", runs.PlanSimulation.as_view(), name="simulator-plan"),
    path("simulator/runs/<str:key>/", runs.RunItem.as_view(), name="simulator-run"),
    path("simulator/rack.svg", views.RackElevation.as_view(), name="simulator-rack-svg"),
    path("scenarios/", views.ScenarioList.as_view(), name="scenario-list"),
    path("scenarios/<str:key>/", views.ScenarioItem.as_view(), name="scenario-item"),
]
